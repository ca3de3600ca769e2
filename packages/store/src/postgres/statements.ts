/**
 * Statements that begin and end transactions. The level is said each time: a database may have another default.
 * @module
 */
import type { Sql } from "../sql.ts";

export const BEGIN_WRITE: Sql = { text: "BEGIN ISOLATION LEVEL READ COMMITTED", params: [] };
export const BEGIN_SNAPSHOT: Sql = { text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", params: [] };
export const COMMIT: Sql = { text: "COMMIT", params: [] };
export const ROLLBACK: Sql = { text: "ROLLBACK", params: [] };
