/**
 * Connections to a database, opened as they are needed and used again.
 * @module
 */
import pg from "pg";
import { unavailable } from "../unavailable.ts";
import { isOfSessionLimit } from "./failures.ts";
import { type ConnectionOptions, PostgresConnection } from "./connection.ts";

/** Where the connections of a pool lead, and how many there may be. */
export interface SessionPoolOptions extends ConnectionOptions {
  readonly url: string;
  readonly size: number;
  /** Milliseconds that a request waits for a connection. */
  readonly acquireTimeout: number;
}

/** Milliseconds after which a connection that nobody uses is closed. */
const IDLE_TIMEOUT = 30_000;

/** Milliseconds for which no more sessions are asked for where the server has refused one. */
const MAKE_DO_MS = 1000;

/** A connection that is lent, and how it is given back. */
export interface LentConnection {
  readonly connection: PostgresConnection;
  readonly release: () => void;
}

/** A pool of connections. */
export class SessionPool {
  readonly #pool: pg.Pool;
  readonly #options: SessionPoolOptions;
  /** Those that are open, until they have ended. */
  readonly #connections = new Map<pg.PoolClient, PostgresConnection>();
  /** Those who wait for a connection. */
  readonly #waiting = new Set<Promise<pg.PoolClient>>();
  #isClosed = false;

  constructor(options: SessionPoolOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.size,
      connectionTimeoutMillis: options.acquireTimeout,
      idleTimeoutMillis: IDLE_TIMEOUT,
      keepAlive: true,
    });
    // A connection that breaks while nobody uses it: the pool has dropped it.
    this.#pool.on("error", () => undefined);
    // Before it is lent: a server that goes down may take a connection back with the very bytes that open it.
    this.#pool.on("connect", (client) => {
      const connection = new PostgresConnection(client, options);
      this.#connections.set(client, connection);
      // Without a listener, a connection that breaks while it is lent would end the process.
      client.on("error", () => connection.destroy());
    });
    this.#pool.on("remove", (client) => this.#connections.delete(client));
  }

  /** Whether it lends no more connections. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** How many sessions are open, how many of them nobody uses, and how many requests wait for one. */
  get load(): { readonly open: number; readonly idle: number; readonly waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { open, idle, waiting };
  }

  /**
   * Lends a connection until it is released.
   * @throws ScimError `unavailable` where there is none in time
   */
  async acquire(): Promise<LentConnection> {
    for (;;) {
      const client = await this.#connect();
      const connection = this.#connections.get(client);
      if (connection === undefined) throw new TypeError("The pool lent what it did not open.");
      const release = (): void => {
        if (connection.isSpent) connection.endSoon();
        client.release(connection.isSpent);
      };
      if (!connection.isSpent) return { connection, release };
      // It grew too old while nobody used it.
      release();
    }
  }

  /**
   * Lends no more connections, and closes all when those that are lent have come back, and those who waited for one have
   * had it: a pool that has ended forgets them.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#waiting);
    await this.#pool.end();
    for (const connection of this.#connections.values()) connection.endSoon();
  }

  async #connect(): Promise<pg.PoolClient> {
    const end = performance.now() + this.#options.acquireTimeout;
    for (;;) {
      if (this.#isClosed) throw unavailable("The store is closed.");
      const connecting = this.#pool.connect();
      this.#waiting.add(connecting);
      try {
        return await connecting;
      } catch (error) {
        const isWaitedFor = isOfSessionLimit(error) && this.#makesDo() && performance.now() < end;
        if (!isWaitedFor) throw unavailable("There is no connection to the database now. Try again.", error);
      } finally {
        this.#waiting.delete(connecting);
      }
    }
  }

  /** Whether there are sessions here, for which requests wait for a while instead of asking for more. */
  #makesDo(): boolean {
    if (this.#connections.size === 0) return false;
    const { options } = this.#pool;
    options.max = this.#connections.size;
    setTimeout(() => (options.max = this.#options.size), MAKE_DO_MS).unref();
    return true;
  }
}
