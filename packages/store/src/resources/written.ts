/**
 * What became of a resource, where a write of it was refused or its answer was lost.
 * @module
 */
import { sql } from "../sql.ts";
import { type Answer, numberOf, type Steps, textOf } from "../steps.ts";
import { revisionOf } from "../version.ts";
import type { EntryOwner } from "./entries.ts";

/** The version of a live resource; null where there is none. */
export function* currentVersion({ tenant, type, id }: EntryOwner): Steps<string | null> {
  const { rows }: Answer = yield sql`SELECT version FROM resources
    WHERE tenant = ${tenant} AND type = ${type} AND id = ${id} AND deleted IS NULL`;
  const [row] = rows;
  return row === undefined ? null : textOf(row, "version");
}

/** Whether a resource ever came to a version: none is given twice. */
export function* wasWritten({ tenant, type, id }: EntryOwner, version: string): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT version, revision FROM resources
    WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`;
  const [row] = rows;
  if (row === undefined) return false;
  if (textOf(row, "version") === version) return true;
  if (numberOf(row, "revision") <= revisionOf(version)) return false;
  // Others have written since: only the outbox still tells.
  const events: Answer = yield sql`SELECT 1 AS n FROM events
    WHERE tenant = ${tenant} AND type = ${type} AND id = ${id} AND version = ${version} LIMIT 1`;
  return events.rows.length > 0;
}
