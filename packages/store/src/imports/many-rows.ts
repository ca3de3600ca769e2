/**
 * Statements that insert many rows.
 * @module
 */
import type { Sql, SqlValue } from "../sql.ts";

/** Rows to insert. */
export interface Insert {
  /** The statement up to `VALUES`. */
  readonly into: string;
  /** How many rows there are. */
  readonly rows: number;
  /** Adds the parameters of a row, and answers its text between brackets. */
  readonly write: (row: number, params: SqlValue[]) => string;
  /** What becomes of a row that is there already. Default `stays`. */
  readonly known?: "stays" | "fails";
}

/** A statement, and how many rows it is to insert. */
export interface Insertion {
  readonly statement: Sql;
  readonly rows: number;
}

/** Parameters of one statement, or somewhat more: far below what any database takes. */
const PARAMETERS = 240;

/** Texts of statements whose rows are all alike, by their beginning, a row and their end, for each number of rows. */
const alike = new Map<string, string[]>();

/** The statements of all rows. */
export function* insertions({
  into,
  rows,
  write,
  known = "stays",
}: Insert): Generator<Insertion, void, undefined> {
  const ending = known === "stays" ? " ON CONFLICT DO NOTHING" : "";
  let texts: string[] = [];
  let params: SqlValue[] = [];
  for (let row = 0; row < rows; row += 1) {
    texts.push(write(row, params));
    if (params.length < PARAMETERS && row + 1 < rows) continue;
    yield { statement: { text: textOf(into, texts, ending), params }, rows: texts.length };
    texts = [];
    params = [];
  }
}

function textOf(into: string, texts: readonly string[], ending: string): string {
  const [first = ""] = texts;
  if (!texts.every((text) => text === first)) return statement(into, texts, ending);
  const name = `${into} ${first}${ending}`;
  const known = alike.get(name) ?? [];
  alike.set(name, known);
  return (known[texts.length] ??= statement(into, texts, ending));
}

function statement(into: string, rows: readonly string[], ending: string): string {
  return `${into} VALUES ${rows.join(", ")}${ending}`;
}
