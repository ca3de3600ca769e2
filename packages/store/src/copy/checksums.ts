/**
 * What a database holds of each tenant, as counts and digests: equal where the content is.
 * @module
 */
import { createHash, type Hash } from "node:crypto";
import type { Database } from "./databases.ts";
import { type CopiedRow, rowsOf } from "./rows.ts";
import { type CopiedTable, EVENTS, REFERENCES, RESOURCES, SMALL_TABLES } from "./tables.ts";

/** What there is of one kind. */
export interface Checksum {
  readonly tenant: string;
  /** A resource type (`User`), a collection of one (`Group.members`), `events`, `tokens`, … */
  readonly what: string;
  readonly count: number;
  /** SHA-256 of all rows in the order of their keys, as hexadecimal digits. */
  readonly digest: string;
}

/** Counts and digests of a tenant. */
export async function checksumsOf(database: Database, tenant: string): Promise<readonly Checksum[]> {
  const tallies = new Map<string, Tally>();
  for (const table of [RESOURCES, REFERENCES, EVENTS, ...SMALL_TABLES]) {
    for await (const rows of rowsOf(database, table, tenant)) {
      for (const row of rows) tallyOf(tallies, kindOf(table, row)).add(row);
    }
  }
  return [...tallies].map(([what, tally]) => ({ tenant, what, ...tally.end() }));
}

/** The type is the first column of a key, and the path of a collection the third. */
function kindOf(table: CopiedTable, row: CopiedRow): string {
  if (table === RESOURCES) return String(row[0]);
  return table === REFERENCES ? `${String(row[0])}.${String(row[2])}` : table.name;
}

function tallyOf(tallies: Map<string, Tally>, what: string): Tally {
  const known = tallies.get(what) ?? new Tally();
  tallies.set(what, known);
  return known;
}

class Tally {
  readonly #hash: Hash = createHash("sha256");
  #count = 0;

  add(row: CopiedRow): void {
    this.#count += 1;
    this.#hash.update(`${JSON.stringify(row)}\n`);
  }

  end(): Pick<Checksum, "count" | "digest"> {
    return { count: this.#count, digest: this.#hash.digest("hex") };
  }
}
