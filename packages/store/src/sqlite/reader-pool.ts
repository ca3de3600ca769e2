/**
 * The threads that read a database file beside the requests: started when they are needed, ended when they are not.
 * @module
 */
import type { SnapshotReader } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import { Reader } from "./reader.ts";
import type { ReaderSettings } from "./thread-messages.ts";
import { ThreadSnapshot } from "./thread-snapshot.ts";

/** How many threads there are, and for how long. */
export interface ReaderLimits {
  /** Threads at most, 1 or more: as many states of the database can be open. Default: 6 more than scans may run at once. */
  readonly most?: number;
  /** Milliseconds after which a thread that has nothing to do ends. Default 30,000 (30 seconds). */
  readonly idle?: number;
}

/** The same, with a number. */
export type PoolLimits = ReaderLimits & { readonly most: number };

const DEFAULT_IDLE_MS = 30_000;

/** The threads of a database file. */
export class ReaderPool {
  readonly #settings: ReaderSettings;
  readonly #most: number;
  readonly #idleMs: number;
  readonly #busy = new Set<Reader>();
  /** Threads without work, and what ends them in time; the one used last stands last. */
  readonly #idle = new Map<Reader, NodeJS.Timeout>();
  #closed = false;
  /** What those who open a state wait for. */
  #held: Promise<unknown> | null = null;

  constructor(settings: ReaderSettings, { most, idle = DEFAULT_IDLE_MS }: PoolLimits) {
    this.#settings = settings;
    this.#most = most;
    this.#idleMs = idle;
  }

  /** How many threads run. */
  get size(): number {
    return this.#busy.size + this.#idle.size;
  }

  /**
   * Opens a state of the database.
   * @throws ScimError `unavailable` where all threads have one open
   */
  async open(signal?: AbortSignal): Promise<SnapshotReader> {
    await this.#held?.catch(() => undefined);
    signal?.throwIfAborted();
    if (this.#closed) throw closed();
    if (this.#busy.size >= this.#most) {
      throw unavailable("As many long reads are under way as the database may have. Try again.");
    }
    const reader = this.#takeIdle() ?? new Reader(this.#settings);
    this.#busy.add(reader);
    const snapshot = new ThreadSnapshot(reader, signal, (done) => this.#giveBack(done));
    try {
      await snapshot.begin();
      return snapshot;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  /** Does work while no state is opened: who asks for one waits until it is done. One at a time. */
  async holdBack<Result>(work: () => Promise<Result>): Promise<Result> {
    const held = work();
    this.#held = held;
    try {
      return await held;
    } finally {
      this.#held = null;
    }
  }

  /** Opens no more, and ends all threads; who waits for them is told so. */
  async close(): Promise<void> {
    this.#closed = true;
    const readers = [...this.#busy, ...this.#idle.keys()];
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all(readers.map((reader) => reader.end(closed())));
  }

  #takeIdle(): Reader | null {
    for (const [reader, timer] of [...this.#idle].toReversed()) {
      clearTimeout(timer);
      this.#idle.delete(reader);
      if (reader.isAlive) return reader;
    }
    return null;
  }

  #giveBack(reader: Reader): void {
    this.#busy.delete(reader);
    if (this.#closed || !reader.isAlive) return;
    const timer = setTimeout(() => {
      this.#idle.delete(reader);
      void reader.end(closed());
    }, this.#idleMs);
    timer.unref();
    this.#idle.set(reader, timer);
  }
}

function closed(): unknown {
  return unavailable("The store is closed.");
}
