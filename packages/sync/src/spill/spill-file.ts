/**
 * What does not fit into memory: tables of texts in a database of SQLite that has no name. It stands in memory up to some MiB,
 * and beyond in a temporary file, which nobody else can open and which goes with the process.
 * @module
 */
import process from "node:process";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { TemporaryFileError } from "./temporary-file-error.ts";

/** KiB of the database that are held in memory. */
const CACHE_KIB = 8192;

/** Rows that are read at a time where all are gone through. */
const PAGE_ROWS = 256;

/** A key and what stands under it. */
export type SpilledRow = readonly [key: string, text: string];

/** Tables of one owner. The file goes when nobody holds a table of it any more. */
export class SpillFile {
  readonly #database: DatabaseSync;
  #tables = 0;

  /** @throws {@link TemporaryFileError} */
  constructor() {
    this.#database = inFile(() => {
      // Loaded by whoever needs it alone: some programs that have this package know no SQLite.
      const { DatabaseSync: Database } = process.getBuiltinModule("node:sqlite");
      const database = new Database("");
      // One transaction that never ends: what is written goes to the file where the memory is full, and at no other time.
      database.exec(`pragma journal_mode = off; pragma cache_size = -${CACHE_KIB}; begin`);
      return database;
    });
  }

  /** A new table. @throws {@link TemporaryFileError} */
  table(): SpillTable {
    this.#tables += 1;
    const name = `t${this.#tables}`;
    return inFile(() => new SpillTable(this.#database, name));
  }
}

/** Texts by key, in the order in which the keys came. */
export class SpillTable {
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #add: StatementSync;
  readonly #delete: StatementSync;
  readonly #count: StatementSync;
  readonly #page: StatementSync;
  /** Nothing is looked up where nothing ever was. */
  #isUnused = true;
  /** What was looked up last: the same is mostly looked up again at once. */
  #last: { readonly key: string; readonly text: string | undefined } | null = null;

  constructor(database: DatabaseSync, name: string) {
    database.exec(
      `create table ${name} (place integer primary key, key text not null unique, text text not null)`,
    );
    const insert = `insert into ${name} (key, text) values (?, ?) on conflict (key)`;
    this.#get = database.prepare(`select text from ${name} where key = ?`);
    this.#put = database.prepare(`${insert} do update set text = excluded.text`);
    this.#add = database.prepare(`${insert} do nothing`);
    this.#delete = database.prepare(`delete from ${name} where key = ?`);
    this.#count = database.prepare(`select count(*) as rows from ${name}`);
    this.#page = database.prepare(
      `select place, key, text from ${name} where place > ? order by place limit ${PAGE_ROWS}`,
    );
  }

  /** Goes through all of them to count. */
  get size(): number {
    return Number(inFile(() => this.#count.get())?.["rows"]);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  get(key: string): string | undefined {
    if (this.#isUnused) return undefined;
    if (this.#last?.key === key) return this.#last.text;
    const row = inFile(() => this.#get.get(written(key)));
    const text = row === undefined ? undefined : String(row["text"]);
    this.#last = { key, text };
    return text;
  }

  put(key: string, text: string): void {
    this.#isUnused = false;
    this.#last = { key, text };
    inFile(() => this.#put.run(written(key), text));
  }

  /** Adds a key, where it is not there; tells whether it was not. */
  add(key: string, text: string): boolean {
    this.#isUnused = false;
    this.#last = null;
    return inFile(() => this.#add.run(written(key), text)).changes === 1;
  }

  delete(key: string): void {
    this.#last = null;
    if (!this.#isUnused) inFile(() => this.#delete.run(written(key)));
  }

  /** All rows; what comes and goes meanwhile may be among them or not. */
  *rows(): Generator<SpilledRow, void, undefined> {
    for (let place = 0; ;) {
      const page = inFile(() => this.#page.all(place));
      for (const { key, text } of page) yield [read(String(key)), String(text)];
      if (page.length < PAGE_ROWS) return;
      place = Number(page.at(-1)?.["place"]);
    }
  }
}

/** Keys stand as JSON: SQLite has no text with half a character in it. */
function written(key: string): string {
  return JSON.stringify(key);
}

function read(key: string): string {
  // Written by `written`.
  return JSON.parse(key) as string;
}

function inFile<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new TemporaryFileError(cause);
  }
}
