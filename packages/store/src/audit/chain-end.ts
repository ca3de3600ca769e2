/**
 * Where the chain of a tenant's audit log begins, and where it has come to.
 * @module
 */
import type { ChainEnd, Checkpoint } from "@scim/events";
import { sql } from "../sql.ts";
import { type Answer, countOf, numberOf, type Row, type Steps, textOf } from "../steps.ts";

/** The last entry of a tenant; where none is kept, the checkpoint that stands for those that were. */
export function* readChainEnd(tenant: string): Steps<ChainEnd | null> {
  const entry: Answer = yield sql`SELECT position, hash FROM audit_entries WHERE tenant = ${tenant}
    ORDER BY position DESC LIMIT 1`;
  const [row] = entry.rows;
  if (row !== undefined) return { position: numberOf(row, "position"), hash: textOf(row, "hash") };
  return yield* readCheckpointAt(tenant, Number.MAX_SAFE_INTEGER);
}

/** The position of the first entry that is kept of a tenant; 0 where there is none. */
export function* readChainStart(tenant: string): Steps<number> {
  return countOf(
    yield sql`SELECT coalesce(min(position), 0) AS position FROM audit_entries WHERE tenant = ${tenant}`,
    "position",
  );
}

/** The last checkpoint of a tenant at a position or before it. */
export function* readCheckpointAt(tenant: string, position: number): Steps<Checkpoint | null> {
  const { rows }: Answer = yield sql`SELECT position, hash, at, key_id, signature FROM audit_checkpoints
    WHERE tenant = ${tenant} AND position <= ${position} ORDER BY position DESC LIMIT 1`;
  const [row] = rows;
  return row === undefined ? null : checkpointOf(row);
}

/** A checkpoint as its row holds it. */
export function checkpointOf(row: Row): Checkpoint {
  return {
    position: numberOf(row, "position"),
    hash: textOf(row, "hash"),
    at: textOf(row, "at"),
    key: textOf(row, "key_id"),
    signature: textOf(row, "signature"),
  };
}
