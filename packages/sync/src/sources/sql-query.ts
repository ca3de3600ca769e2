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
