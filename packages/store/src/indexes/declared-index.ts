/**
 * The catalog of indexes: its rows, and the changes that people and schemas make to it.
 * @module
 */
import { ADMIN_TENANT } from "@scim/tenancy";
import type { Dialect } from "../dialect.ts";
import type { RowSource } from "../resources/read.ts";
import { liveResources } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import {
  type Answer,
  countOf,
  numberOf,
  type Outcome,
  type Row,
  type Steps,
  textOf,
  textOrNullOf,
} from "../steps.ts";
import type { IndexState } from "./view.ts";

/** Who wanted an index: a resource type's document, or somebody by command. */
export type IndexOrigin = "schema" | "operator";

/** An index of an attribute of a tenant's resource type. */
export interface DeclaredIndex {
  readonly tenant: string;
  readonly type: string;
  /** Attribute path. */
  readonly path: string;
  readonly origin: IndexOrigin;
  readonly state: IndexState;
  /** When it came into its state, UTC. */
  readonly since: string;
  /** Resources that building has gone through. */
  readonly built: number;
}

/** Names an index. */
export type IndexName = Pick<DeclaredIndex, "tenant" | "type" | "path">;

/** What changes of the catalog need. */
export interface CatalogSetting {
  readonly dialect: Dialect;
  /** The present instant, UTC with milliseconds. */
  readonly now: () => string;
}

const COLUMNS: Sql = sql`i.tenant, i.type, i.path, i.origin, i.state, i.since, i.built`;

/** The indexes of a tenant, or of all. */
export function* readIndexes(tenant: string | null): Steps<readonly DeclaredIndex[]> {
  const whose = tenant === null ? sql`` : sql` WHERE i.tenant = ${tenant}`;
  const { rows } =
    yield sql`SELECT ${COLUMNS} FROM attribute_indexes i${whose} ORDER BY i.tenant, i.type, i.path`;
  return rows.map(indexOf);
}

/** The indexes of all tenants that are not ready. The order makes any planner take the index that holds them alone. */
export function* unreadyIndexes(): Steps<readonly DeclaredIndex[]> {
  const { rows } = yield sql`SELECT ${COLUMNS} FROM attribute_indexes i WHERE i.state <> 'ready'
    ORDER BY i.since, i.tenant, i.type, i.path`;
  return rows.map(indexOf);
}

function indexOf(row: Row): DeclaredIndex {
  return {
    tenant: textOf(row, "tenant"),
    type: textOf(row, "type"),
    path: textOf(row, "path"),
    origin: originOf(row),
    state: asState(textOf(row, "state")),
    since: textOf(row, "since"),
    built: numberOf(row, "built"),
  };
}

function originOf(row: Row): IndexOrigin {
  return textOf(row, "origin") === "operator" ? "operator" : "schema";
}

/** A state that a later program may have added is none that a query may rely on. */
function asState(text: string): IndexState {
  return text === "ready" || text === "building" || text === "dropping" ? text : "declared";
}

/** The state of one index; null where it is not declared. Held until the transaction ends. */
export function* heldIndex({ tenant, type, path }: IndexName, dialect: Dialect): Steps<HeldIndex | null> {
  const { rows }: Answer =
    yield sql`SELECT i.origin, i.state, i.since, i.fence, i.progress FROM attribute_indexes i
    WHERE i.tenant = ${tenant} AND i.type = ${type} AND i.path = ${path} ${dialect.lockedRows}`;
  const [row] = rows;
  if (row === undefined) return null;
  return {
    origin: originOf(row),
    state: asState(textOf(row, "state")),
    since: textOf(row, "since"),
    fence: textOrNullOf(row, "fence"),
    progress: textOf(row, "progress"),
  };
}

/** How far an index is. */
export interface HeldIndex {
  readonly origin: IndexOrigin;
  readonly state: IndexState;
  readonly since: string;
  readonly fence: string | null;
  /** Id up to which it is built. */
  readonly progress: string;
}

/** Declares an index. Resolves to what was there before: null where it is new. One that is being dropped stays so. */
export function* declareIndex(
  setting: CatalogSetting,
  name: IndexName,
  origin: IndexOrigin,
): Steps<Outcome<HeldIndex | null>> {
  const known = yield* heldIndex(name, setting.dialect);
  if (known !== null) {
    if (origin === "operator" && known.state !== "dropping") yield ownedByOperator(name);
    return { keep: true, result: known };
  }
  const { tenant, type, path } = name;
  const state = (yield* needsNoBuilding(setting, name)) ? "ready" : "declared";
  const { changes }: Answer =
    yield sql`INSERT INTO attribute_indexes (tenant, type, path, origin, state, since, progress, built)
    VALUES (${tenant}, ${type}, ${path}, ${origin}, ${state}, ${setting.now()}, ${""}, 0)
    ON CONFLICT DO NOTHING`;
  // Another process has declared it since: it is there now.
  if (changes === 0) return yield* declareIndex(setting, name, origin);
  yield* moveRevision(name, { written: true });
  return { keep: true, result: null };
}

function ownedByOperator({ tenant, type, path }: IndexName): Sql {
  return sql`UPDATE attribute_indexes SET origin = 'operator'
    WHERE tenant = ${tenant} AND type = ${type} AND path = ${path}`;
}

/** Whether there is nothing to build, and no other transaction may add something meanwhile. */
function* needsNoBuilding({ dialect }: CatalogSetting, { tenant, type }: RowSource): Steps<boolean> {
  if (dialect.openTransactions !== null) return false;
  const { rows }: Answer = yield sql`SELECT r.id FROM ${liveResources(tenant, type)} LIMIT 1`;
  return rows.length === 0;
}

/** Begins to drop an index, unless that has begun. Resolves to what was there before. */
export function* dropIndex(setting: CatalogSetting, name: IndexName): Steps<Outcome<HeldIndex | null>> {
  const known = yield* heldIndex(name, setting.dialect);
  const begins = known !== null && known.state !== "dropping";
  if (begins) yield* enterState(setting, name, "dropping");
  return { keep: begins, result: known };
}

/** Moves an index to another state. */
export function* enterState(setting: CatalogSetting, name: IndexName, state: IndexState): Steps<void> {
  yield sql`UPDATE attribute_indexes SET state = ${state}, since = ${setting.now()}, fence = NULL
    WHERE tenant = ${name.tenant} AND type = ${name.type} AND path = ${name.path}`;
  yield* moveRevision(name, { written: state === "dropping" });
}

/** The row that moves with every change of the catalog, of whichever tenant: by it processes hear of one. */
const OF_ALL: RowSource = { tenant: ADMIN_TENANT, type: "" };

/** How often the catalog was changed, of whichever tenant, by programs that note it. */
export function* catalogChanges(): Steps<number> {
  return countOf(
    yield sql`SELECT changes FROM index_revisions WHERE tenant = ${OF_ALL.tenant} AND type = ${OF_ALL.type}`,
    "changes",
  );
}

/** Tells processes that the catalog changed; `written`: also in what writers must write. */
export function* moveRevision(of: RowSource, { written }: { readonly written: boolean }): Steps<void> {
  const step = written ? 1 : 0;
  yield moved(of, step);
  yield moved(OF_ALL, 0);
}

function moved({ tenant, type }: RowSource, step: 0 | 1): Sql {
  return sql`INSERT INTO index_revisions (tenant, type, revision, changes) VALUES (${tenant}, ${type}, ${step}, 1)
    ON CONFLICT (tenant, type) DO UPDATE SET revision = index_revisions.revision + ${step},
      changes = index_revisions.changes + 1`;
}
