/**
 * A walk along the audit chain of a tenant: what each entry, its hash and the checkpoints say of each other.
 * @module
 */
import type { AuditKeys } from "../keys.ts";
import type { ChainEnd } from "./chain.ts";
import { entryHash } from "./link.ts";
import { checkCheckpoint, type Checkpoint, type Stated } from "./checkpoint.ts";
import { type ChainedEntry, jsonOrNull } from "./entry.ts";
import type { AuditStore } from "./port.ts";

/** What is wrong at a position. */
export interface AuditFault {
  readonly kind: "changed" | "removed" | "moved" | "checkpoint";
  readonly position: number;
  /** What was found, in a sentence. */
  readonly detail: string;
}

/** What a verification found. */
export interface AuditReport {
  readonly tenant: string;
  /** Whether nothing is wrong. */
  readonly valid: boolean;
  readonly entries: number;
  /** Positions of the first and the last entry; null where there are none. */
  readonly first: number | null;
  readonly last: number | null;
  /** Hash of the last entry: who keeps it elsewhere can tell later whether the log was made anew. */
  readonly hash: string | null;
  /** How many checkpoints were found right. */
  readonly checkpoints: number;
  /** The last of them: nothing signs what is behind it. */
  readonly signed: Pick<Checkpoint, "position" | "at"> | null;
  /**
   * The entries behind the last checkpoint, which nothing signs yet: how many, and where and when they begin; null where there are
   * none. A server that runs signs within an hour and some minutes; where one has run for longer since they began, checkpoints
   * were removed.
   */
  readonly unsigned: { readonly entries: number; readonly position: number; readonly at: string } | null;
  /** The checkpoint that stands for the entries before the first; null where the chain begins there. */
  readonly behind: Pick<Checkpoint, "position" | "at"> | null;
  /** The first faults, in order of position. */
  readonly faults: readonly AuditFault[];
}

/** Where a walk begins. */
export interface WalkStart extends Checkpoint {
  /** Whether it must state that the entries before it went: they are not there. */
  readonly standsForEntries: boolean;
}

/** How far a log had come when a walk began. */
export interface WalkEnd {
  /** The last position that was given. */
  readonly head: number;
  /** That of the last checkpoint; 0 where there was none. */
  readonly signed: number;
}

/** What a walk works with. */
export interface WalkSetting extends AuditKeys {
  readonly audit: Pick<AuditStore, "checkpoints">;
}

/** Checkpoints that are read at once. */
const PAGE = 500;
/** Faults that are told. */
const MOST_FAULTS = 100;

/** One walk along a chain. */
export class ChainWalk {
  entries = 0;
  readonly #tenant: string;
  readonly #setting: WalkSetting;
  readonly #faults: AuditFault[] = [];
  /** Where the walk is; null before the first entry of a chain. */
  #end: ChainEnd | null;
  #first: number | null = null;
  #checkpoints: Checkpoint[] = [];
  #rightCheckpoints = 0;
  #signed: AuditReport["signed"] = null;
  #behind: AuditReport["behind"] = null;
  #unsigned: AuditReport["unsigned"] = null;

  constructor(tenant: string, setting: WalkSetting, start: WalkStart | null) {
    this.#tenant = tenant;
    this.#setting = setting;
    this.#end = start;
    if (start !== null) this.#checkStart(start);
  }

  /** Goes on to the next entry. */
  async pass(entry: ChainedEntry): Promise<void> {
    const { position, hash } = entry;
    if (this.entries === 0) {
      this.#first = position;
      this.#checkpoints = [...(await this.#readCheckpoints(position))];
    }
    this.entries += 1;
    this.#compare(entry);
    this.#end = { position, hash };
    await this.#passCheckpoints();
    if (this.#signed?.position === position) this.#unsigned = null;
    else
      this.#unsigned = {
        position,
        at: entry.at,
        ...this.#unsigned,
        entries: (this.#unsigned?.entries ?? 0) + 1,
      };
  }

  /** Ends the walk. */
  async finish({ head, signed }: WalkEnd): Promise<AuditReport> {
    const last = this.#end?.position ?? 0;
    const [beyond] = signed > last ? await this.#readCheckpoints(last + 1) : [];
    if (beyond !== undefined) {
      this.#fault("removed", last + 1, `Checkpoints state entries up to ${beyond.position}; none is there.`);
    } else if (head > last) {
      this.#fault(
        "removed",
        last + 1,
        `Events have positions up to ${head}; from here on none has an entry.`,
      );
    }
    return {
      tenant: this.#tenant,
      valid: this.#faults.length === 0,
      entries: this.entries,
      first: this.#first,
      last: this.entries === 0 ? null : last,
      hash: this.#end?.hash ?? null,
      checkpoints: this.#rightCheckpoints,
      signed: this.#signed,
      unsigned: this.#unsigned,
      behind: this.#behind,
      faults: this.#faults,
    };
  }

  /** Compares an entry with what its hash and the one before say. */
  #compare(entry: ChainedEntry): void {
    const { position, text, hash } = entry;
    const stated = jsonOrNull(text);
    if (typeof stated?.["position"] === "number" && stated["position"] !== position) {
      this.#fault("moved", position, `Here stands the entry of position ${stated["position"]}.`);
      return;
    }
    const expected = this.#end === null ? position : this.#end.position + 1;
    if (position !== expected) {
      this.#fault("removed", expected, `Entries ${expected} to ${position - 1} are missing.`);
      return;
    }
    const previous = this.#end?.hash ?? null;
    const { digest } = this.#setting;
    if (entryHash(digest, { tenant: this.#tenant, previous, text }) !== hash) {
      if (this.#end === null && position > 1) this.#fault("removed", position, NO_BEGINNING);
      else this.#fault("changed", position, "The entry, its hash or the hash before it was changed.");
      return;
    }
    const { at, type, id } = entry;
    if (stated?.["at"] !== at || stated["type"] !== type || stated["id"] !== id)
      this.#fault("changed", position, "It is filed under another time or resource than it states.");
  }

  async #passCheckpoints(): Promise<void> {
    const end = this.#end;
    if (end === null) return;
    for (;;) {
      const [checkpoint] = this.#checkpoints;
      if (checkpoint === undefined || checkpoint.position > end.position) return;
      this.#checkpoints.shift();
      if (this.#statedBy(checkpoint) !== null) {
        if (checkpoint.position !== end.position) {
          // Its entry is missing, which is told already.
        } else if (checkpoint.hash === end.hash) {
          this.#rightCheckpoints += 1;
          this.#signed = { position: checkpoint.position, at: checkpoint.at };
        } else
          this.#fault("changed", end.position, `The checkpoint of ${checkpoint.at} states another hash.`);
      }
      if (this.#checkpoints.length === 0)
        this.#checkpoints = [...(await this.#readCheckpoints(checkpoint.position + 1))];
    }
  }

  #checkStart(start: WalkStart): void {
    const stated = this.#statedBy(start);
    if (stated === null) return;
    const { position, at, standsForEntries } = start;
    this.#signed = { position, at };
    if (!standsForEntries || stated === "went") this.#behind = { position, at };
    else
      this.#fault(
        "removed",
        1,
        `Entries up to ${position} are missing; no checkpoint says that they were too old.`,
      );
  }

  /** What a checkpoint states; null where its signature is not right, which is told. */
  #statedBy(checkpoint: Checkpoint): Stated | null {
    const outcome = checkCheckpoint(this.#setting, this.#tenant, checkpoint);
    if (outcome !== "unknown" && outcome !== "forged") return outcome;
    const { position, at, key } = checkpoint;
    const detail =
      outcome === "unknown"
        ? `The checkpoint of ${at} is signed with key ${key}, which is not among the keys.`
        : `The checkpoint of ${at} is not signed with key ${key}, as it says.`;
    this.#fault("checkpoint", position, detail);
    return null;
  }

  #readCheckpoints(from: number): Promise<readonly Checkpoint[]> {
    return this.#setting.audit.checkpoints(this.#tenant, from, PAGE);
  }

  #fault(kind: AuditFault["kind"], position: number, detail: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push({ kind, position, detail });
  }
}

const NO_BEGINNING = "It does not begin a chain, and no checkpoint stands for what was before it.";
