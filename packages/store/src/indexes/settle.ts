/**
 * Writes the entries anew of resources that a program wrote which did not know what to index.
 * @module
 */
import type { IndexEntry } from "@scim/core";
import { indexRowName, readStoredRows, type StoredRow } from "../derived/stored-rows.ts";
import { addIndexEntries, type EntryOwner } from "../resources/entries.ts";
import type { RowSource } from "../resources/read.ts";
import { liveResources, parseObject } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Outcome, type Steps, textOf } from "../steps.ts";
import { type BuildSetting, inTurn, type Progress } from "./build.ts";
import { readIndexes } from "./declared-index.ts";
import { fewIds, heldBodies } from "./few-resources.ts";
import { takeLease } from "./lease.ts";
import { storedEntry } from "./missing.ts";
import { alwaysIndexed, revisionOf } from "./view.ts";

/** Resources that one step settles at most. */
const BATCH = 50;

/** The first resource type in order, behind another, of which resources are unsettled; null where there is none. */
export function* nextUnsettled(after: RowSource | null): Steps<RowSource | null> {
  const behind = after === null ? sql`` : sql` AND (r.tenant, r.type) > (${after.tenant}, ${after.type})`;
  const { rows }: Answer = yield sql`SELECT r.tenant, r.type FROM resources r WHERE r.deleted IS NULL
    AND r.indexed_version IS DISTINCT FROM r.version${behind}
    ORDER BY r.tenant, r.type, r.indexed_version, r.id LIMIT 1`;
  const [row] = rows;
  return row === undefined ? null : { tenant: textOf(row, "tenant"), type: textOf(row, "type") };
}

/** Settles the next resources of a type. */
export function* settleBatch(setting: BuildSetting, of: RowSource): Steps<Outcome<Progress>> {
  if (!(yield* takeLease(of.tenant, setting.holder))) return { keep: false, result: "waiting" };
  const revision = yield* currentRevision(of);
  const paths = yield* writtenPaths(of);
  const few = yield* fewIds(unsettledResources(of), BATCH);
  if (few.length === 0) return { keep: true, result: "waiting" };
  const { rows } = yield heldBodies(of, few, setting.dialect);
  // Those that were deleted meanwhile are not held, and may come back.
  const ids = rows.map((row) => textOf(row, "id"));
  const stored = yield* readStoredRows({ ...of, ids }, setting.dialect);
  for (const row of rows) {
    const body = parseObject(textOf(row, "body"));
    const declared = setting.source.entries(of.type, body, paths);
    if (declared === null) return { keep: false, result: "waiting" };
    const owner = { ...of, id: textOf(row, "id") };
    const entries = [...declared, ...alwaysEntries(setting, of, { body, paths })];
    yield* renew(setting, owner, { entries, stored: stored.get(owner.id)?.index ?? [] });
  }
  yield sql`UPDATE resources SET indexed_version = version WHERE tenant = ${of.tenant} AND type = ${of.type}
    AND id IN ${setting.dialect.idList(ids)} AND ${revisionOf(of.tenant, of.type)} = ${revision}`;
  return { keep: true, result: "done" };
}

function* currentRevision({ tenant, type }: RowSource): Steps<number> {
  const { rows }: Answer = yield sql`SELECT ${revisionOf(tenant, type)} AS revision`;
  const [row] = rows;
  return row === undefined ? 0 : numberOf(row, "revision");
}

/** The attributes whose entries a resource must have. */
function* writtenPaths({ tenant, type }: RowSource): Steps<readonly string[]> {
  const indexes = yield* readIndexes(tenant);
  return indexes.filter((index) => index.type === type && index.state !== "dropping").map(({ path }) => path);
}

function unsettledResources({ tenant, type }: RowSource): Sql {
  return sql`FROM ${liveResources(tenant, type)}
    AND r.indexed_version IS DISTINCT FROM r.version ORDER BY r.indexed_version, r.id`;
}

/** Of what always has an index, as far as this service knows the attributes. */
function alwaysEntries(
  { source }: BuildSetting,
  { type }: RowSource,
  { body, paths }: { readonly body: Parameters<typeof source.entries>[1]; readonly paths: readonly string[] },
): readonly IndexEntry[] {
  return alwaysIndexed(type)
    .filter((path) => !paths.includes(path))
    .flatMap((path) => source.entries(type, body, [path]) ?? []);
}

/** The entries that a resource must have, and those that it has. */
interface Renewal {
  readonly entries: readonly IndexEntry[];
  readonly stored: readonly StoredRow[];
}

/** Makes the entries of a resource those, and no others. Nothing is written where they are. */
function* renew({ dialect }: BuildSetting, owner: EntryOwner, { entries, stored }: Renewal): Steps<void> {
  const wanted = new Set(
    entries.map(storedEntry).map(({ path, key }) => indexRowName(dialect.keys, path, key)),
  );
  // All of them: a condition that names those which stay may be longer than a database takes.
  if (stored.some(({ name }) => !wanted.has(name)))
    yield sql`DELETE FROM attribute_index
      WHERE tenant = ${owner.tenant} AND type = ${owner.type} AND id = ${owner.id}`;
  yield* inTurn(addIndexEntries(owner, entries, dialect));
}
