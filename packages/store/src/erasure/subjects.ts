/**
 * What is known of subjects: an id of a tenant, whatever the type of the resource.
 * @module
 */
import type { Subject } from "@scim/events";
import { sql } from "../sql.ts";
import { type Answer, type Executor, type Steps, textOf } from "../steps.ts";

/** Ids that are read at once. */
const PAGE = 500;

/** The resource types of a tenant: each has been counted. */
export function* typesOf(tenant: string): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT DISTINCT type FROM resource_counters WHERE tenant = ${tenant}`;
  return rows.map((row) => textOf(row, "type"));
}

/** The types in which a live resource has the id of a subject. */
export function* liveTypes({ tenant, id }: Subject): Steps<readonly string[]> {
  const live: string[] = [];
  for (const type of yield* typesOf(tenant)) {
    const { rows }: Answer = yield sql`SELECT id FROM resources
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${id} AND deleted IS NULL`;
    if (rows.length > 0) live.push(type);
  }
  return live;
}

/** Whether anything is kept of a subject: its row, its entries in the audit log, a secret, or what an erasure left half-way. */
export function* isKnown({ tenant, id }: Subject): Steps<boolean> {
  const noted: Answer = yield sql`SELECT id FROM subject_secrets WHERE tenant = ${tenant} AND id = ${id}
    UNION ALL SELECT id FROM erased_lately WHERE tenant = ${tenant} AND id = ${id}`;
  if (noted.rows.length > 0) return true;
  for (const type of yield* typesOf(tenant)) {
    const { rows }: Answer = yield sql`SELECT id FROM resources
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}
      UNION ALL SELECT id FROM audit_entries WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}
      UNION ALL SELECT resource AS id FROM request_log
        WHERE tenant = ${tenant} AND type = ${type} AND resource = ${id}`;
    if (rows.length > 0) return true;
  }
  return false;
}

/** The ids of a tenant's resources, tombstones and audited resources, and of those whose erasure ended half-way. */
export async function* subjectIds(
  executor: Pick<Executor, "read" | "pause">,
  tenant: string,
): AsyncGenerator<readonly string[], void, undefined> {
  for (const type of await executor.read(typesOf(tenant)))
    yield* pages(executor, (after) => resourceIds(tenant, type, after));
  yield* pages(executor, (after) => auditedIds(tenant, after));
  yield* pages(executor, (after) => begunIds(tenant, after));
}

async function* pages(
  executor: Pick<Executor, "read" | "pause">,
  read: (after: string) => Steps<readonly string[]>,
): AsyncGenerator<readonly string[], void, undefined> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const ids: readonly string[] = await executor.read(read(after));
    yield ids;
    after = ids.at(-1);
    await executor.pause();
  }
}

function* resourceIds(tenant: string, type: string, after: string): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT id FROM resources
    WHERE tenant = ${tenant} AND type = ${type} AND id > ${after} ORDER BY id LIMIT ${PAGE}`;
  return rows.map((row) => textOf(row, "id"));
}

function* auditedIds(tenant: string, after: string): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT id FROM subject_secrets
    WHERE tenant = ${tenant} AND id > ${after} ORDER BY id LIMIT ${PAGE}`;
  return rows.map((row) => textOf(row, "id"));
}

function* begunIds(tenant: string, after: string): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`SELECT id FROM erased_lately
    WHERE tenant = ${tenant} AND id > ${after} ORDER BY id LIMIT ${PAGE}`;
  return rows.map((row) => textOf(row, "id"));
}
