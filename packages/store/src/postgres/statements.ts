/**
 * Statements that begin and end transactions. The level is said each time: a database may have another default.
 * @module
 */
import type { Sql } from "../sql.ts";

export const BEGIN_WRITE: Sql = { text: "BEGIN ISOLATION LEVEL READ COMMITTED", params: [] };
/**
 * Has the server end a transaction behind which nothing comes: what it has locked would stay so for hours where the network was
 * parted meanwhile, since the server does not hear that the connection is gone.
 */
export const BOUND_PAUSES: Sql = {
  text: "SET LOCAL idle_in_transaction_session_timeout = '1min'",
  params: [],
};
export const BEGIN_SNAPSHOT: Sql = { text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", params: [] };
export const COMMIT: Sql = { text: "COMMIT", params: [] };
export const ROLLBACK: Sql = { text: "ROLLBACK", params: [] };
