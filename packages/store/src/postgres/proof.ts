/**
 * The demands of a batch as a statement of their own, which fails where one is not met, so that what was sent
 * behind it, the commit above all, is not carried out.
 * @module
 */
import { joinSql, type Sql, sql } from "../sql.ts";
import type { BatchStatement } from "../steps.ts";
import { DatabaseFailure } from "./failures.ts";

/** SQLSTATE of text that is no number. */
const INVALID_TEXT = "22P02";

const UNMET = /unmet demand (\d+)/;

/** The statement that fails where a demand is not met; none where there are no demands. */
export function proofOf(batch: readonly BatchStatement[]): readonly Sql[] {
  const cases = batch.flatMap(({ proof }, index) =>
    proof === undefined ? [] : [sql`WHEN NOT EXISTS (${proof}) THEN ${failure(index)}`],
  );
  return cases.length === 0 ? [] : [sql`SELECT CASE ${joinSql(cases, " ")} END`];
}

/** A number that is none. Put together when it is needed: a constant would be read when the statement is planned. */
function failure(index: number): Sql {
  return { text: `CAST(concat('unmet demand ', ${index}) AS integer)`, params: [] };
}

/** Which statement of a batch did not do what it had to; null where an error says something else. */
export function unmetOf(error: unknown): number | null {
  if (!(error instanceof DatabaseFailure) || error.code !== INVALID_TEXT) return null;
  const index = UNMET.exec(error.message)?.[1];
  return index === undefined ? null : Number(index);
}
