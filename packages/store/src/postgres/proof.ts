/**
 * A batch for a server that is not waited for: behind statements that have to change a row stands one that fails
 * where they did not, so that what was sent behind it, the commit above all, is not carried out. A statement of its
 * own, and not a part of the one that writes: so it can be routed to one node of several.
 * @module
 */
import { joinSql, type Sql, sql } from "../sql.ts";
import type { BatchStatement } from "../steps.ts";
import { DatabaseFailure } from "./failures.ts";

/** SQLSTATE of text that is no number. */
const INVALID_TEXT = "22P02";

const UNMET = /unmet (\d+)/;

/** The statements of a batch, with proofs between. */
export function provenStatements(batch: readonly BatchStatement[]): readonly Sql[] {
  const sent: Sql[] = [];
  let cases: Sql[] = [];
  for (const [index, { statement, proof }] of batch.entries()) {
    // What does not have to be proved may fail where what stands before it did nothing.
    if (proof === undefined && cases.length > 0) {
      sent.push(failing(cases));
      cases = [];
    }
    sent.push(statement);
    if (proof !== undefined) cases.push(sql`WHEN NOT EXISTS (${proof}) THEN ${failure(index)}`);
  }
  return cases.length === 0 ? sent : [...sent, failing(cases)];
}

/** The statement that fails where one of several did not do what it had to. */
function failing(cases: readonly Sql[]): Sql {
  return sql`SELECT CASE ${joinSql(cases, " ")} END`;
}

/** A number that is none. Put together when it is needed: a constant would be read when the statement is planned. */
function failure(index: number): Sql {
  return { text: `CAST(concat('unmet ', ${index}) AS integer)`, params: [] };
}

/** Which statement of a batch did not do what it had to; null where an error says something else. */
export function unmetOf(error: unknown): number | null {
  if (!(error instanceof DatabaseFailure) || error.code !== INVALID_TEXT) return null;
  const index = UNMET.exec(error.message)?.[1];
  return index === undefined ? null : Number(index);
}
