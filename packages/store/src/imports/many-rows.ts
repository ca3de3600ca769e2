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

/** Parameters of one statement at most: far below what any database takes. */
const PARAMETERS = 512;

/** Texts of statements whose rows are all alike, by their beginning, a row and their end, for each number of rows. */
const alike = new Map<string, string[]>();

/**
 * The statements of all rows. Each has 1, 2, 4, 8, … of them: so there are few texts however many rows come, and a
 * database knows them all, and how to carry them out, from before.
 */
export function* insertions({
  into,
  rows,
  write,
  known = "stays",
}: Insert): Generator<Insertion, void, undefined> {
  const ending = known === "stays" ? " ON CONFLICT DO NOTHING" : "";
  for (let row = 0; row < rows;) {
    const params: SqlValue[] = [];
    const texts = [write(row, params)];
    const count = powerOfTwoUpTo(Math.min(rows - row, PARAMETERS / params.length));
    for (let next = row + 1; next < row + count; next += 1) texts.push(write(next, params));
    yield { statement: { text: insertText(into, texts, ending), params }, rows: count };
    row += count;
  }
}

function powerOfTwoUpTo(most: number): number {
  let power = 1;
  while (power * 2 <= most) power *= 2;
  return power;
}

/** The text of a statement that inserts rows, each given as its text between brackets. That of rows that are all alike is made once. */
export function insertText(into: string, texts: readonly string[], ending: string): string {
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
