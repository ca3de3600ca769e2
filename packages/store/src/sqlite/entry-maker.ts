/**
 * Has entries of the audit log made on a thread, as the thread of the requests sees it: to read events and to make their entries takes
 * more time than to write those. The thread is started where there are many events, and ends when there are none.
 * @module
 */
import type { AuditChain, AuditedAttributes, LinkedElsewhere } from "@scim/events";
import type { PlacingBeside } from "../events/assign-positions.ts";
import type { Executor } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { AskedThread } from "./asked-thread.ts";
import type { EntryReply, EntryRequest, EntrySettings, NumberedType } from "./entry-messages.ts";
import { type ForeseenPlaces, type Missing, placeForeseen } from "./foreseen-places.ts";

/** Events that are not worth a thread. */
const FEW = 50;

/** Milliseconds after which a thread that was not asked ends. */
const IDLE_MS = 30_000;

/** Resource types whose attributes the thread keeps. */
const MOST_TYPES = 256;

/** Whose events are placed, and what with. */
export interface EntryMaking extends Pick<AuditChain, "newSecret"> {
  /** Path of the database file. */
  readonly path: string;
  /** Milliseconds that a statement of the thread waits for a lock. */
  readonly lockWait: number;
  readonly elsewhere: LinkedElsewhere;
  readonly executor: Pick<Executor, "write">;
  /** Milliseconds after which a thread that was not asked ends. Default half a minute. */
  readonly idle?: number | undefined;
}

/** What has the entries of a chain made; null where none are to be made on a thread. */
export function entryMakerFor(
  audit: AuditChain | null,
  making: Omit<EntryMaking, "elsewhere" | "newSecret">,
): EntryMaker | null {
  if (audit === null || audit.elsewhere === null) return null;
  const { elsewhere, newSecret } = audit;
  return new EntryMaker({ ...making, elsewhere, newSecret });
}

type Thread = AskedThread<EntryRequest, EntryReply>;

/** Gives positions to events of a database file whose entries a thread makes. */
export class EntryMaker implements PlacingBeside {
  readonly #making: EntryMaking;
  #thread: Thread | null = null;
  readonly #numbers = new WeakMap<AuditedAttributes, number>();
  #lastNumber = 0;
  /** Numbers of the attributes that the thread has. */
  readonly #sent = new Set<number>();
  /** Resolves when what is under way, and waits, is done. */
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(making: EntryMaking) {
    this.#making = making;
  }

  get fewest(): number {
    return this.#thread?.isAlive === true ? 0 : FEW;
  }

  /**
   * One tenant after the other: the thread has the events of one in hand.
   * @throws ScimError `unavailable` after close
   */
  async place(tenant: string, limit: number): Promise<number> {
    if (this.#closed) throw unavailable("The store is closed.");
    const foreseen = this.#last.then(() => this.#foresee(tenant, limit));
    this.#last = foreseen.catch(() => undefined);
    const places = await foreseen;
    return places === null ? 0 : this.#making.executor.write(() => placeForeseen(places));
  }

  /** Takes nothing more, and ends the thread when it has done what it was asked. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#last;
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #foresee(tenant: string, limit: number): Promise<ForeseenPlaces | null> {
    clearTimeout(this.#idle);
    const thread = this.#running();
    try {
      const foreseen = await thread.ask({ kind: "foresee", tenant, limit });
      if (foreseen.kind !== "foreseen") return null;
      const linked = await thread.ask({ kind: "link", ...this.#parts(tenant, foreseen.missing) });
      return linked.kind === "linked" ? linked.places : null;
    } finally {
      this.#idle = setTimeout(() => void this.#end(), this.#making.idle ?? IDLE_MS).unref();
    }
  }

  #parts(tenant: string, missing: Missing): Omit<Extract<EntryRequest, { kind: "link" }>, "kind"> {
    const { elsewhere, newSecret } = this.#making;
    const forget = this.#sent.size > MOST_TYPES;
    if (forget) this.#sent.clear();
    const attributes = new Map<number, AuditedAttributes>();
    const types = missing.types.map((type): NumberedType => {
      const found = elsewhere.attributesOf(tenant, type);
      if (found === null) return { type, attributes: null };
      const number = this.#numberOf(found);
      if (!this.#sent.has(number)) attributes.set(number, found);
      this.#sent.add(number);
      return { type, attributes: number };
    });
    const secrets = Array.from({ length: missing.secrets }, () => newSecret());
    return { types, attributes, forget, secrets };
  }

  #numberOf(attributes: AuditedAttributes): number {
    const number = this.#numbers.get(attributes) ?? (this.#lastNumber += 1);
    this.#numbers.set(attributes, number);
    return number;
  }

  #running(): Thread {
    if (this.#thread?.isAlive === true) return this.#thread;
    const { path, lockWait, elsewhere } = this.#making;
    const settings: EntrySettings = { path, lockWait, keys: elsewhere.keys };
    this.#sent.clear();
    this.#thread = new AskedThread({ program: "entry-thread", name: "scim-entries", settings });
    return this.#thread;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.end(unavailable("No entries are made any more."));
  }
}
