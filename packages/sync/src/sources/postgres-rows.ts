/**
 * Rows of a query of PostgreSQL.
 * @module
 */
import type * as Pg from "pg";
import { SourceError } from "./source.ts";
import { failureOf, type Query, refuseTwice, type Rows, takesSince } from "./sql-query.ts";

/** Rows that are fetched at once. */
const BATCH = 1000;

/** A query of PostgreSQL. */
export interface PostgresQuery extends Query<string> {
  readonly address: string;
  readonly signal: AbortSignal | undefined;
}

/** Rows of a query, fetched by a cursor. */
export async function* postgresRows({ address, query, given, signal }: PostgresQuery): Rows {
  const shown = URL.canParse(address) ? new URL(address).host : "the database";
  const pg = await driver();
  const session = new Session(pg, { address, shown, signal });
  try {
    await session.open();
    await session.ask("begin read only");
    await session.ask("set local datestyle to iso");
    const statement = query.replaceAll(/(?<![:\w]):since\b/g, "$1").replace(/;\s*$/, "");
    // A statement with a name is refused where it is more than one: another could end what only reads.
    await session.ask({
      name: "declare",
      text: `declare records no scroll cursor for ${statement}`,
      values: takesSince(query) ? [given] : [],
    });
    for (;;) {
      const { rows, fields } = await session.ask(`fetch ${BATCH} from records`);
      refuseTwice(fields, shown);
      if (rows.length === 0) break;
      yield* rows;
    }
  } catch (cause) {
    throw failureOf(cause, shown);
  } finally {
    await session.close();
  }
}

interface SessionOptions {
  readonly address: string;
  /** How the database is called in messages. */
  readonly shown: string;
  readonly signal: AbortSignal | undefined;
}

/** Milliseconds within which a query that was given up is ended, too. */
const CANCEL_MS = 5000;

/** A session that ends with a signal, whatever the database is at. */
class Session {
  readonly #pg: typeof Pg;
  readonly #options: SessionOptions;
  readonly #client: Pg.Client;
  readonly #stopped = Promise.withResolvers<never>();
  #isBusy = false;
  #process: unknown;

  constructor(pg: typeof Pg, options: SessionOptions) {
    this.#pg = pg;
    this.#options = options;
    this.#client = clientOf(pg, options);
    // A connection that ends tells the query that is under way, or the next one.
    this.#client.on("error", () => undefined);
    this.#stopped.promise.catch(() => undefined);
  }

  async open(): Promise<void> {
    const { signal } = this.#options;
    signal?.addEventListener("abort", this.#stop, { once: true });
    if (signal?.aborted === true) this.#stop();
    await this.#untilStopped(this.#client.connect());
    const { rows } = await this.ask("select pg_backend_pid() as process");
    this.#process = rows[0]?.["process"];
  }

  async ask(query: string | Pg.QueryConfig): Promise<Pg.QueryResult<Record<string, unknown>>> {
    this.#isBusy = true;
    const result = await this.#untilStopped(this.#client.query<Record<string, unknown>>(query));
    this.#isBusy = false;
    return result;
  }

  async close(): Promise<void> {
    const { signal } = this.#options;
    signal?.removeEventListener("abort", this.#stop);
    if (signal?.aborted === true && this.#isBusy) await this.#cancel();
    const ended = this.#client.end().catch(() => undefined);
    if (signal?.aborted !== true) await ended;
  }

  readonly #stop = (): void => {
    const { shown } = this.#options;
    this.#stopped.reject(new SourceError(`The query of ${shown} was not read to its end: it was stopped.`));
  };

  #untilStopped<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([this.#stopped.promise, work]);
  }

  /** The database would go on with a query of whose client it hears nothing: it has to be told in another session. */
  async #cancel(): Promise<void> {
    const client = clientOf(this.#pg, { ...this.#options, patience: CANCEL_MS });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("select pg_cancel_backend($1)", [this.#process]);
    } catch {
      // Then the database goes on with it: the source was stopped all the same.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The driver reads the address, and files that it names, such as certificates of authorities. */
function clientOf(
  pg: typeof Pg,
  { address, shown, patience }: Pick<SessionOptions, "address" | "shown"> & { readonly patience?: number },
): Pg.Client {
  const waiting =
    patience === undefined ? {} : { connectionTimeoutMillis: patience, query_timeout: patience };
  try {
    return new pg.Client({ connectionString: address, types: ownTypes(pg), ...waiting });
  } catch (cause) {
    throw failureOf(cause, shown);
  }
}

/** Ids of types in the catalogue of every PostgreSQL. */
const DATE = 1082;
const TIMESTAMP = 1114;
const LISTS = [1115, 1182];
const TEXT_LIST = 1009;
const INSTANT = 1184;
const INSTANT_LIST = 1185;

/** The driver would take days and times without a zone for those of this machine's zone; in lists, they are texts too. */
function ownTypes({ TypeOverrides }: typeof Pg): Pg.TypeOverrides {
  const own = new TypeOverrides();
  own.setTypeParser(DATE, (text) => text);
  own.setTypeParser(TIMESTAMP, (text) => text.replace(" ", "T"));
  // The driver's types have parsers take a number; they take the text.
  const texts = own.getTypeParser(TEXT_LIST) as unknown as (text: string) => unknown;
  for (const id of LISTS) own.setTypeParser(id, texts);
  const instantOf = knownInstant(own.getTypeParser(INSTANT) as unknown as (text: string) => unknown);
  own.setTypeParser(INSTANT, instantOf);
  own.setTypeParser(INSTANT_LIST, (list) => eachOf(texts(list), instantOf));
  return own;
}

/** An instant that JavaScript has no name for, such as `infinity`, stays the text that it is. */
function knownInstant(parse: (text: string) => unknown): (text: string) => unknown {
  return (text) => {
    const instant = parse(text);
    return instant instanceof Date && !Number.isNaN(instant.getTime()) ? instant : text;
  };
}

function eachOf(value: unknown, instantOf: (text: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => eachOf(each, instantOf));
  return typeof value === "string" ? instantOf(value) : value;
}

async function driver(): Promise<typeof Pg> {
  try {
    return await import("pg");
  } catch (cause) {
    throw new SourceError("A source in PostgreSQL needs the package pg: npm install pg.", cause);
  }
}
