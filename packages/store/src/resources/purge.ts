/**
 * Removes what deleted resources left behind, a bounded number of rows at a time.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, type Outcome, PAUSE, type Steps, textOf } from "../steps.ts";
import { ownRows, removeRows } from "./collections.ts";

/**
 * Removes tombstones that are older than an instant, oldest first, each after its own reference rows. A large
 * collection takes several calls. References to a purged resource stay.
 * @returns the rows removed: at most `limit`
 */
export function* purgeTombstones(before: string, limit: number): Steps<Outcome<number>> {
  let removed = 0;
  while (removed < limit) {
    const tombstone = yield* oldestTombstone(before);
    if (tombstone === null) break;
    const { tenant, type, id } = tombstone;
    removed += yield* removeRows(ownRows({ tenant, type, owner: id }), limit - removed);
    if (removed >= limit) break;
    yield sql`DELETE FROM resources WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`;
    removed += 1;
    yield PAUSE;
  }
  return { keep: true, result: removed };
}

interface Tombstone {
  readonly tenant: string;
  readonly type: string;
  readonly id: string;
}

function* oldestTombstone(before: string): Steps<Tombstone | null> {
  const { rows }: Answer = yield sql`SELECT tenant, type, id FROM resources
    WHERE deleted IS NOT NULL AND deleted < ${before} ORDER BY deleted, tenant, type, id LIMIT 1`;
  const [row] = rows;
  return row === undefined
    ? null
    : { tenant: textOf(row, "tenant"), type: textOf(row, "type"), id: textOf(row, "id") };
}
