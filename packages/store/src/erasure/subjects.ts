/**
 * What is known of subjects: an id of a tenant, whatever the type of the resource.
 * @module
 */
import type { Subject } from "@scim/events";
import { constantSql, sql } from "../sql.ts";
import { type Answer, type Executor, type Row, type Steps, textOf, textOrNullOf } from "../steps.ts";
import { walkEvents } from "./event-walk.ts";

/** Ids that are read at once. */
const PAGE = 500;

type Reader = Pick<Executor, "read" | "pause">;

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

/**
 * Whether anything is kept of a subject: its row, its entries in the audit log or the request log, a secret, what an erasure left
 * half-way, or an event. Where an index tells of it, no events are looked through.
 */
export async function isKnown(executor: Reader, subject: Subject): Promise<boolean> {
  if (await executor.read(isIndexed(subject))) return true;
  const { tenant, id } = subject;
  const walk = { tenant, columns: sql``, condition: sql`id = ${id} OR subject = ${id}` };
  for await (const rows of walkEvents(executor, walk)) if (rows.length > 0) return true;
  return false;
}

function* isIndexed({ tenant, id }: Subject): Steps<boolean> {
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

/** The ids of a tenant's resources, tombstones and audited resources, of those whose erasure ended half-way, and whom events tell of. */
export async function* subjectIds(
  executor: Reader,
  tenant: string,
): AsyncGenerator<readonly string[], void, undefined> {
  for (const type of await executor.read(typesOf(tenant)))
    yield* pages(executor, (after) => resourceIds(tenant, type, after));
  yield* pages(executor, (after) => auditedIds(tenant, after));
  yield* pages(executor, (after) => begunIds(tenant, after));
  const walk = { tenant, columns: sql`, id, subject`, condition: constantSql(true) };
  for await (const rows of walkEvents(executor, walk))
    yield [...new Set(rows.flatMap((row) => [textOf(row, "id"), ...subjectOf(row)]))];
}

function subjectOf(row: Row): readonly string[] {
  const subject = textOrNullOf(row, "subject");
  return subject === null ? [] : [subject];
}

async function* pages(
  executor: Reader,
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
