/**
 * Deleted resources, as they are listed and restored.
 * @module
 */
import type {
  DeletedPage,
  DeletedPlace,
  DeletedResource,
  DeletedResources,
  Deletion,
  KeptResource,
  StoreScope,
} from "@scim/core";
import { statedEntry } from "@scim/events";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, type Row, type Steps, textOf, textOrNullOf } from "../steps.ts";
import { parseObject } from "./rows.ts";

/**
 * Stands in the place of when a resource was deleted, once a purge has begun to remove its rows: before every instant
 * that a purge is given, so that the next goes on with it, however long deleted resources are kept by then.
 */
export const BEING_PURGED = "0000-01-01T00:00:00.000Z";

/** Tombstones that one statement looks at for those of one type, of which there may be few: some milliseconds. */
const LOOKED_AT = 10_000;

/** Makes the deleted resources of a database. */
export function deletedResources(executor: Pick<Executor, "read" | "pause">): DeletedResources {
  return {
    list: (scope, page) =>
      page.type === undefined
        ? executor.read(listDeleted(scope.tenant, page))
        : listOfType(executor, scope, page),
    read: ({ tenant }, { type, id }) => executor.read(readDeleted({ tenant, type, id })),
  };
}

/** A page of those of one type, looked for some at a time, so that others come between. */
async function listOfType(
  executor: Pick<Executor, "read" | "pause">,
  { tenant, signal }: Pick<StoreScope, "tenant" | "signal">,
  page: DeletedPage,
): Promise<readonly DeletedResource[]> {
  const found: DeletedResource[] = [];
  let { after } = page;
  for (;;) {
    const upTo: DeletedPlace | null = await executor.read(lastLookedAt(tenant, { ...page, after }));
    const rest = { ...page, after, limit: page.limit - found.length };
    found.push(...(await executor.read(listDeleted(tenant, rest, upTo))));
    if (upTo === null || found.length >= page.limit) return found;
    after = upTo;
    await executor.pause();
    signal?.throwIfAborted();
  }
}

// The last entry of a resource in the audit log tells of its deletion, as long as the log is kept.
function columnsOf(tenant: string): Sql {
  return sql`r.type, r.id, r.connection, r.version, r.created, r.deleted,
    (SELECT a.entry FROM audit_entries a WHERE a.tenant = ${tenant} AND a.type = r.type AND a.id = r.id
      ORDER BY a.position DESC LIMIT 1) AS entry`;
}

/** Condition: a resource that was deleted at an instant or later, and of which nothing is gone. One bound: an index reads no further. */
function isWhole(since: string): Sql {
  const bound = since > BEING_PURGED ? sql`r.deleted >= ${since}` : sql`r.deleted > ${BEING_PURGED}`;
  return sql`r.deleted IS NOT NULL AND ${bound}`;
}

/**
 * A page is read backwards along the index of tombstones.
 * @param upTo the last place that is looked at. Default: there may be any number
 */
export function* listDeleted(
  tenant: string,
  { since, type, after, limit }: DeletedPage,
  upTo: DeletedPlace | null = null,
): Steps<readonly DeletedResource[]> {
  const { rows }: Answer = yield sql`SELECT ${columnsOf(tenant)} FROM resources r
    WHERE r.tenant = ${tenant} AND ${isWhole(since)}${ofType(type)}${behind(after)}${within(upTo)}
    ORDER BY r.deleted DESC, r.type DESC, r.id DESC LIMIT ${limit}`;
  return rows.map(deletedOf);
}

/** The last place of as many as are looked at, of whichever type; null where no more come behind them. */
function* lastLookedAt(tenant: string, { since, after }: DeletedPage): Steps<DeletedPlace | null> {
  const { rows }: Answer = yield sql`SELECT r.deleted, r.type, r.id FROM resources r
    WHERE r.tenant = ${tenant} AND ${isWhole(since)}${behind(after)}
    ORDER BY r.deleted DESC, r.type DESC, r.id DESC LIMIT 1 OFFSET ${LOOKED_AT - 1}`;
  const [row] = rows;
  return row === undefined
    ? null
    : { deleted: textOf(row, "deleted"), type: textOf(row, "type"), id: textOf(row, "id") };
}

/** Read from the index of tombstones, without a look at those of other types. */
function ofType(type: string | undefined): Sql {
  return type === undefined ? sql`` : sql` AND r.type = ${type}`;
}

function behind(after: DeletedPlace | null): Sql {
  if (after === null) return sql``;
  const { deleted, type, id } = after;
  return sql` AND (r.deleted, r.type, r.id) < (${deleted}, ${type}, ${id})`;
}

function within(upTo: DeletedPlace | null): Sql {
  if (upTo === null) return sql``;
  const { deleted, type, id } = upTo;
  return sql` AND (r.deleted, r.type, r.id) >= (${deleted}, ${type}, ${id})`;
}

interface Target {
  readonly tenant: string;
  readonly type: string;
  readonly id: string;
}

function* readDeleted({ tenant, type, id }: Target): Steps<KeptResource | null> {
  const { rows }: Answer = yield sql`SELECT ${columnsOf(tenant)}, r.body FROM resources r
    WHERE r.tenant = ${tenant} AND r.type = ${type} AND r.id = ${id} AND ${isWhole(BEING_PURGED)}`;
  const [row] = rows;
  return row === undefined ? null : { ...deletedOf(row), body: parseObject(textOf(row, "body")) };
}

function deletedOf(row: Row): DeletedResource {
  return {
    type: textOf(row, "type"),
    id: textOf(row, "id"),
    connection: textOf(row, "connection"),
    version: textOf(row, "version"),
    created: textOf(row, "created"),
    deleted: textOf(row, "deleted"),
    by: deletionOf(textOrNullOf(row, "entry")),
  };
}

function deletionOf(text: string | null): Deletion | null {
  if (text === null) return null;
  const stated = statedEntry({ text });
  if (stated === null) return null;
  const { kind, connection, subject, origin } = stated;
  return kind === "deleted" ? { connection, subject, origin } : null;
}
