/**
 * Statements of an application's own, which a store runs in the transaction of a write.
 * @module
 */

/** A value that a statement binds. */
export type StatementValue = string | number | bigint | null | Uint8Array;

/**
 * A statement in the words of the database. Values stand as `?` in the text, in order; a question mark that is none
 * must not stand in it.
 *
 * @example
 * const seat: Statement = { text: "INSERT INTO seats (tenant, user_id) VALUES (?, ?)", params: ["acme", "2819c223"] };
 */
export interface Statement {
  readonly text: string;
  readonly params: readonly StatementValue[];
}
