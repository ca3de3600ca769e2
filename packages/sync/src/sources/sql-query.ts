/**
 * What queries of all databases share.
 * @module
 */
import { SourceError } from "./source.ts";

/** A query, and how far the last one came; null where everything is wanted. */
export interface Query<Given> {
  readonly query: string;
  readonly given: Given | null;
}

/** Rows by the names of their columns. */
export type Rows = AsyncIterable<Readonly<Record<string, unknown>>>;

/** Whether a query tells its changes. */
export function takesSince(query: string): boolean {
  return /(?<![:\w]):since\b/.test(query);
}

/** A failure of a driver as one of a source. `where` names the database. */
export function failureOf(cause: unknown, where: string): unknown {
  if (!(cause instanceof Error) || cause instanceof SourceError) return cause;
  return new SourceError(`The query of ${where} failed: ${cause.message}.`, cause);
}

/**
 * Refuses columns of one name, as of a join: a row would hold the last of them, which may be another person's.
 * @throws {@link SourceError}
 */
export function refuseTwice(columns: readonly { readonly name: string }[], where: string): void {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  throw new SourceError(
    `The query of ${where} has two columns '${twice}': give each a name of its own, as in 'boss.${twice} as boss_${twice}'.`,
  );
}
