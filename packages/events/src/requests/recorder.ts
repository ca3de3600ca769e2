/**
 * Records requests beside their path: a request only puts what was exchanged into a queue. It is redacted and written
 * later, in short slices that take a hundredth to a fortieth of the time of a busy thread, and more of an idle one; where more
 * comes than that, some is skipped and counted.
 * @module
 */
import { catalogFor, type CatalogSource, type ModelCatalog } from "@scim/core";
import { isScimError } from "@scim/schemas";
import { instantOfId } from "./entry-ids.ts";
import type { LoggedRequest } from "./entry.ts";
import {
  type EntryMaking,
  type LoggableExchange,
  makeEntry,
  NO_MODELS,
  type TimedExchange,
} from "./make-entry.ts";
import type { RequestLogStore } from "./port.ts";
import { type PseudonymKeys, Pseudonyms } from "./redaction/pseudonyms.ts";

/** What a request log is made with. */
export interface RequestLogOptions extends PseudonymKeys {
  readonly store: Pick<RequestLogStore, "add">;
  /** Tells which attributes hold personal values. */
  readonly catalog: CatalogSource;
  /** A new UUIDv7 of an instant, in milliseconds since 1970, and greater than those before. */
  readonly newId: (now: number) => string;
  /**
   * The greatest id of a tenant's entries, or null: ids go on behind it where the clock was set back before the process
   * began, so that whoever reads on by ids misses none. Asked for once. Default: ids are those of the clock.
   */
  readonly newest?: ((tenant: string) => Promise<string | null>) | undefined;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Waits so many milliseconds; it need not hold up the end of the process. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /**
   * Share of the time since it was asked last that the thread had work, 0 to 1, such as Node.js tells it by
   * `performance.eventLoopUtilization()`. Default: always 1, as if the thread had no time to spare.
   */
  readonly utilization?: (() => number) | undefined;
  /** Lets requests go first, within a slice of redaction. Default: a slice is done at once. */
  readonly turn?: (() => Promise<void>) | undefined;
  /** Told of what failed; the entries are lost, and counted as skipped. */
  readonly onError: (error: unknown) => void;
  /** Exchanges that may wait. Default 2000; from half of it on, reads that succeeded and answers of 429 are skipped. */
  readonly most?: number;
}

/** Records requests. */
export interface RequestLog {
  /** What `createScimHandler` takes as `onExchange`. Takes microseconds, and never throws. */
  readonly onExchange: (exchange: LoggableExchange) => void;
  /** Writes what waits, and resolves when it is written. Where the store is away, all of it is skipped at once. */
  flush(): Promise<void>;
}

/** Minutes without a request after which the next begins a new run. */
export const RUN_PAUSE_MINUTES = 5;
const RUN_PAUSE_MS = RUN_PAUSE_MINUTES * 60_000;

const MOST = 2000;
/** Bytes of bodies and answers that may wait (32 MiB). */
const MOST_BYTES = 33_554_432;
/** Milliseconds that the first of a batch waits for others. */
const GATHER_MS = 200;
/** Milliseconds of one slice of redaction, and how many requests of it are redacted at once. */
const SLICE_MS = 4;
const AT_ONCE = 16;
/** A thread that works for so much of the time has no time to spare. */
const BUSY = 0.75;
/**
 * Shares of the time that redacting and writing take, and of what is missing to a busy thread besides. What is left out first is
 * worth less of both: to keep many reads that succeeded makes the slowest slower.
 */
const FOR_READS = { least: 1 / 100, spare: 1 / 8 };
const FOR_OTHERS = { least: 1 / 40, spare: 1 / 2 };
const LONGEST_PAUSE_MS = 1000;

/**
 * Makes a request log.
 *
 * @example
 * const requestLog = createRequestLog({ store: store.requests, catalog, keys, hmac, newId, now, pause, onError });
 * const handler = createScimHandler({ service, authenticate, onExchange: requestLog.onExchange });
 */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  const recorder = new Recorder(options);
  return { onExchange: (exchange) => recorder.take(exchange), flush: () => recorder.flush() };
}

class Recorder {
  readonly #options: RequestLogOptions;
  readonly #pseudonyms: Pseudonyms;
  #queue: TimedExchange[] = [];
  #bytes = 0;
  /** How many of those that wait are the first to be left out. */
  #dull = 0;
  /** Skipped requests by tenant and connection. */
  #skipped = new Map<string, { readonly tenant: string; readonly connection: string; count: number }>();
  #running: Promise<void> | null = null;
  #isHurried = false;
  /** Tenants whose ids go on behind those that were there. */
  readonly #begun = new Set<string>();

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#pseudonyms = new Pseudonyms(options);
  }

  take(exchange: LoggableExchange): void {
    const { tenant, connection } = exchange.record;
    // Who is not known has no log.
    if (tenant === null || connection === null) return;
    const size = sizeOf(exchange);
    if (this.#hasRoom(exchange, size)) {
      this.#queue.push({ exchange, tenant, connection, at: this.#options.now() });
      this.#bytes += size;
      if (isDull(exchange)) this.#dull += 1;
    } else {
      this.#skip({ tenant, connection }, 1);
    }
    this.#running ??= this.#run();
  }

  async flush(): Promise<void> {
    this.#isHurried = true;
    while (this.#running !== null || this.#queue.length > 0) {
      this.#running ??= this.#run();
      await this.#running;
    }
    this.#isHurried = false;
  }

  #hasRoom(exchange: LoggableExchange, size: number): boolean {
    const { most = MOST } = this.#options;
    return this.#queue.length < (isDull(exchange) ? most / 2 : most) && this.#bytes + size <= MOST_BYTES;
  }

  #skip({ tenant, connection }: Pick<LoggedRequest, "tenant" | "connection">, count: number): void {
    const key = `${tenant} ${connection}`;
    const known = this.#skipped.get(key);
    if (known === undefined) this.#skipped.set(key, { tenant, connection, count });
    else known.count += count;
  }

  async #run(): Promise<void> {
    const { pause } = this.#options;
    if (!this.#isHurried) await pause(GATHER_MS);
    while (this.#queue.length > 0 || this.#skipped.size > 0) {
      const { entries, spent } = await this.#redactSome();
      const isWritten = await this.#write(entries);
      // What is lost while the store is away is told with the next request.
      if (!isWritten && this.#queue.length === 0) break;
      if (!this.#isHurried && this.#queue.length > 0) {
        await pause(Math.min(LONGEST_PAUSE_MS, this.#pauseBehind(Math.max(1, spent))));
      }
    }
    this.#running = null;
  }

  /** How long to pause behind a slice of so many milliseconds: writing costs about as much again. */
  #pauseBehind(spent: number): number {
    const spare = Math.max(0, BUSY - (this.#options.utilization?.() ?? 1));
    const dull = this.#dull / this.#queue.length;
    const shareFor = (of: typeof FOR_READS): number => of.least + spare * of.spare;
    return 2 * spent * (1 / (dull * shareFor(FOR_READS) + (1 - dull) * shareFor(FOR_OTHERS)) - 1);
  }

  /** Redacts for the time of a slice, and at least one. */
  async #redactSome(): Promise<{ readonly entries: readonly LoggedRequest[]; readonly spent: number }> {
    const { now, onError, newId, turn = async () => undefined } = this.#options;
    const entries: LoggedRequest[] = [];
    let done = 0;
    const batch = this.#queue;
    let [spent, since] = [0, now()];
    for (const waiting of batch) {
      if (done > 0 && spent + now() - since >= SLICE_MS) break;
      if (done > 0 && done % AT_ONCE === 0) {
        spent += now() - since;
        await turn();
        since = now();
      }
      done += 1;
      this.#bytes -= sizeOf(waiting.exchange);
      if (isDull(waiting.exchange)) this.#dull -= 1;
      try {
        const catalog = await this.#catalogOf(waiting.tenant);
        await this.#goOn(waiting.tenant);
        const making: EntryMaking = { catalog, newId, pseudonyms: this.#pseudonyms };
        entries.push(makeEntry(making, waiting));
      } catch (error) {
        this.#skip(waiting, 1);
        onError(error);
      }
    }
    this.#queue = this.#queue.slice(done);
    return { entries, spent: spent + now() - since };
  }

  /** Has ids be greater than those that are there already. */
  async #goOn(tenant: string): Promise<void> {
    const { newest, newId } = this.#options;
    if (newest === undefined || this.#begun.has(tenant)) return;
    this.#begun.add(tenant);
    // A store that is away says so where the entries are written.
    const id = await newest(tenant).catch(() => null);
    if (id !== null) newId(instantOfId(id));
  }

  /** Requests of a tenant whose schemas cannot be read are refused, as whoever looks for the reason sees by their answers. */
  async #catalogOf(tenant: string): Promise<ModelCatalog> {
    try {
      return await catalogFor(this.#options.catalog, tenant);
    } catch {
      return NO_MODELS;
    }
  }

  /** Resolves to whether all of it was written; what was not is lost, and counted. */
  async #write(entries: readonly LoggedRequest[]): Promise<boolean> {
    let isWritten = true;
    const skipped = this.#skipped;
    this.#skipped = new Map();
    let isAway = false;
    const bySource = Map.groupBy(entries, ({ tenant, connection }) => `${tenant} ${connection}`);
    for (const key of new Set([...bySource.keys(), ...skipped.keys()])) {
      const of = bySource.get(key) ?? [];
      const source = of[0] ?? skipped.get(key);
      if (source === undefined) continue;
      const { tenant, connection } = source;
      const count = skipped.get(key)?.count ?? 0;
      if (isAway) {
        this.#skip(source, count + of.length);
        continue;
      }
      try {
        await this.#options.store.add({
          tenant,
          connection,
          entries: of,
          skipped: count,
          pause: RUN_PAUSE_MS,
        });
      } catch (error) {
        isWritten = false;
        this.#skip(source, count + of.length);
        this.#options.onError(error);
        // Each write waits for the store as long as it may: nobody who hurries can wait for all of them.
        isAway = this.#isHurried && isScimError(error) && error.code === "unavailable";
      }
    }
    if (isAway) this.#skipQueue();
    return isWritten;
  }

  #skipQueue(): void {
    for (const waiting of this.#queue) this.#skip(waiting, 1);
    this.#queue = [];
    this.#bytes = 0;
    this.#dull = 0;
  }
}

/**
 * Whether it is the first to be left out: a read that succeeded, or what was told to come later, since no rate bounds how many of
 * these a client sends.
 */
function isDull({ record: { method, status } }: LoggableExchange): boolean {
  return status === 429 || (method === "GET" && status < 400);
}

function sizeOf({ body, answer }: LoggableExchange): number {
  return (body?.bytes ?? 0) + (answer?.length ?? 0);
}
