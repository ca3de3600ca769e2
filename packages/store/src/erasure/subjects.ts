/**
 * What is known of subjects: an id of a tenant, whatever the type of the resource.
 * @module
 */
import type { Subject } from "@scim/events";
import { constantSql, type Sql, sql } from "../sql.ts";
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
export function* liveTypes(subject: Subject): Steps<readonly string[]> {
  const { tenant, id } = subject;
  const live: string[] = [];
  for (const type of yield* typesMeant(subject)) {
    const { rows }: Answer = yield sql`SELECT id FROM resources
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${id} AND deleted IS NULL`;
    if (rows.length > 0) live.push(type);
  }
  return live;
}

/** The types of which a subject may be: that which it tells, if the tenant has that one, else all. */
export function* typesMeant({ tenant, type }: Subject): Steps<readonly string[]> {
  const types = yield* typesOf(tenant);
  return type === undefined ? types : types.filter((each) => each === type);
}

/** The types in which a resource has the id of a subject, or had, as far as anything tells it. */
export async function typesOfSubject(executor: Reader, { tenant, id }: Subject): Promise<readonly string[]> {
  const types = new Set(await executor.read(indexedTypes({ tenant, id })));
  const walk = { tenant, columns: sql`, type`, condition: sql`id = ${id}` };
  for await (const rows of walkEvents(executor, walk)) for (const row of rows) types.add(textOf(row, "type"));
  return [...types];
}

function* indexedTypes({ tenant, id }: Subject): Steps<readonly string[]> {
  const secrets: Answer = yield sql`SELECT type FROM subject_secrets WHERE tenant = ${tenant} AND id = ${id}`;
  const found = secrets.rows.map((row) => textOf(row, "type"));
  for (const type of yield* typesOf(tenant)) {
    const { rows }: Answer = yield sql`SELECT type FROM resources
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}
      UNION SELECT type FROM audit_entries WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}`;
    if (rows.length > 0) found.push(type);
  }
  return found;
}

/**
 * Whether anything is kept of a subject: its row, its entries in the audit log or the request log, a secret, what an erasure left
 * half-way, or an event. Where an index tells of it, no events are looked through.
 */
export async function isKnown(executor: Reader, subject: Subject): Promise<boolean> {
  const types = await executor.read(typesMeant(subject));
  if (subject.type !== undefined && types.length === 0) return false;
  if (await executor.read(isIndexed(subject, types))) return true;
  const { tenant, id } = subject;
  const condition = sql`(id = ${id}${ofType(subject)}) OR subject = ${id}`;
  const walk = { tenant, columns: sql``, condition };
  for await (const rows of walkEvents(executor, walk)) if (rows.length > 0) return true;
  return false;
}

function* isIndexed(subject: Subject, types: readonly string[]): Steps<boolean> {
  const { tenant, id } = subject;
  const noted: Answer =
    yield sql`SELECT id FROM subject_secrets WHERE tenant = ${tenant} AND id = ${id}${ofType(subject)}
    UNION ALL SELECT id FROM erased_lately WHERE tenant = ${tenant} AND id = ${id}${ofType(subject)}`;
  if (noted.rows.length > 0) return true;
  for (const type of types) {
    const { rows }: Answer = yield sql`SELECT id FROM resources
      WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}
      UNION ALL SELECT id FROM audit_entries WHERE tenant = ${tenant} AND type = ${type} AND id = ${id}
      UNION ALL SELECT resource AS id FROM request_log
        WHERE tenant = ${tenant} AND type = ${type} AND resource = ${id}`;
    if (rows.length > 0) return true;
  }
  return false;
}

/** The condition that a row is of the type that a subject tells. */
export function ofType({ type }: Subject): Sql {
  return type === undefined ? sql`` : sql` AND type = ${type}`;
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
