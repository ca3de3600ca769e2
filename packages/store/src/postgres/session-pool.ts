/**
 * Connections to a database, opened as they are needed and used again.
 * @module
 */
import pg from "pg";
import { unavailable } from "../unavailable.ts";
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

/** A connection that is lent, and how it is given back. */
export interface LentConnection {
  readonly connection: PostgresConnection;
  readonly release: () => void;
}

/** A pool of connections. */
export class SessionPool {
  readonly #pool: pg.Pool;
  readonly #options: SessionPoolOptions;
  readonly #connections = new WeakMap<pg.PoolClient, PostgresConnection>();

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
  }

  /**
   * Lends a connection until it is released.
   * @throws ScimError `unavailable` where there is none in time
   */
  async acquire(): Promise<LentConnection> {
    const client = await this.#connect();
    const known = this.#connections.get(client);
    const connection = known ?? new PostgresConnection(client, this.#options);
    if (known === undefined) {
      this.#connections.set(client, connection);
      // Without a listener, a connection that breaks while it is lent would end the process.
      client.on("error", () => connection.destroy());
    }
    return { connection, release: () => client.release(connection.isBroken) };
  }

  /** Closes all connections, when those that are lent have come back. */
  close(): Promise<void> {
    return this.#pool.end();
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw unavailable("There is no connection to the database now. Try again.", error);
    }
  }
}
