/**
 * Reads resources, and with them what a selection names.
 * @module
 */
import type { InverseValue, ReadSelection, ReferenceValue, StoredResource } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { fixedSql } from "../fixed-sql.ts";
import { sql } from "../sql.ts";
import { type Row, type Steps, textOf } from "../steps.ts";
import { readCollections, readFirstValues } from "./collections.ts";
import {
  displayOfOne,
  inverseOf,
  onlyInverse,
  OWNER_VALUES,
  ownersOf,
  ownerValues,
  readInverse,
  type SimpleInverse,
} from "./inverses.ts";
import { liveResources, type MadeOfRow, RESOURCE_COLUMNS, resourceOf } from "./rows.ts";

/** Whether a selection asks for nothing but the resource itself. */
function selectsNothing(select: ReadSelection): boolean {
  const { collections, first = [], inverses } = select;
  return collections.length + first.length + inverses.length === 0;
}

/** Where rows of resources come from. */
export interface RowSource {
  readonly tenant: string;
  readonly type: string;
}

/** One resource, and what is made of its row. */
interface OneResource<Resource> {
  readonly id: string;
  readonly select: ReadSelection;
  readonly make: MadeOfRow<Resource>;
}

/** The resource of an id, or null. */
export function* readResource<Resource>(
  source: RowSource,
  { id, select, make }: OneResource<Resource>,
  dialect: Dialect,
): Steps<Resource | null> {
  const inverse = onlyInverse(select);
  if (inverse !== null) return yield* readWithInverse(source, { id, inverse, make }, dialect);
  const { rows } = yield rowOfOne(dialect, { ...source, id });
  const [resource] = yield* madeOfRows(source, { rows, select, make }, dialect);
  return resource ?? null;
}

const rowOfOne = fixedSql(
  ["tenant", "type", "id"],
  (_dialect, { tenant, type, id }) =>
    sql`SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body FROM resources r
    WHERE r.tenant = ${tenant} AND r.type = ${type} AND r.id = ${id} AND r.deleted IS NULL`,
);

/** A resource and who refers to it, in one statement: that of every read of a user. */
function* readWithInverse<Resource>(
  { tenant, type }: RowSource,
  {
    id,
    inverse: { path, source },
    make,
  }: Omit<OneResource<Resource>, "select"> & { readonly inverse: SimpleInverse },
  dialect: Dialect,
): Steps<Resource | null> {
  const { rows } = yield rowAndOwners(dialect, { type, ...ownerValues(tenant, { id, source }) });
  const row = rows.find(({ owner }) => owner === null);
  if (row === undefined) return null;
  const owners = rows.filter(({ owner }) => owner !== null).map((owner) => inverseOf(owner, [source]));
  return make(type, row, { collections: new Map(), inverses: new Map([[path, owners]]) });
}

/** The row of a resource, and one for each that refers to it. */
const rowAndOwners = fixedSql(["type", ...OWNER_VALUES], (dialect, { type, ...values }) => {
  const { tenant, id } = values;
  return sql`SELECT r.id, r.connection, r.version, r.created, r.last_modified, r.body,
      NULL AS type, NULL AS owner, 0 AS distance, NULL AS display
    FROM resources r
    WHERE r.tenant = ${tenant} AND r.type = ${type} AND r.id = ${id} AND r.deleted IS NULL
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, m.type, m.owner, 1, ${displayOfOne(values, dialect)}
    ${ownersOf(values, dialect)}
    ORDER BY owner`;
});

/** The resources of several ids, in the order of the ids. */
export function* readResources(
  source: RowSource,
  { ids, select }: { readonly ids: readonly string[]; readonly select: ReadSelection },
  dialect: Dialect,
): Steps<readonly StoredResource[]> {
  if (ids.length === 0) return [];
  const { rows } = yield sql`SELECT ${RESOURCE_COLUMNS} FROM ${liveResources(source.tenant, source.type)}
    AND r.id IN ${dialect.idList(ids)}`;
  const resources = yield* completeRows(source, { rows, select }, dialect);
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Makes resources of rows, with the collections and inverses of a selection: one statement for each. */
export function completeRows(
  source: RowSource,
  { rows, select }: { readonly rows: readonly Row[]; readonly select: ReadSelection },
  dialect: Dialect,
): Steps<readonly StoredResource[]> {
  return madeOfRows(source, { rows, select, make: resourceOf }, dialect);
}

interface ManyRows<Resource> extends Pick<OneResource<Resource>, "select" | "make"> {
  readonly rows: readonly Row[];
}

function* madeOfRows<Resource>(
  { tenant, type }: RowSource,
  { rows, select, make }: ManyRows<Resource>,
  dialect: Dialect,
): Steps<readonly Resource[]> {
  if (rows.length === 0 || selectsNothing(select)) return rows.map((row) => make(type, row));
  const ids = rows.map((row) => textOf(row, "id"));
  const collections = new Map<string, ReadonlyMap<string, readonly ReferenceValue[]>>();
  for (const path of select.collections) {
    const collection = { tenant, type, path };
    const values = yield* readCollections({ collection, owners: ids, most: select.most }, dialect);
    if (values !== null) collections.set(path, values);
  }
  for (const path of select.first ?? []) {
    const collection = { tenant, type, path };
    collections.set(path, yield* readFirstValues({ collection, owners: ids }, dialect));
  }
  const inverses = new Map<string, ReadonlyMap<string, readonly InverseValue[]>>();
  for (const selection of select.inverses) {
    inverses.set(selection.inverse.node.path, yield* readInverse(tenant, { selection, ids }, dialect));
  }
  return rows.map((row) => {
    const id = textOf(row, "id");
    return make(type, row, {
      collections: valuesOf(collections, id),
      inverses: valuesOf(inverses, id),
    });
  });
}

function valuesOf<Value>(
  byPath: ReadonlyMap<string, ReadonlyMap<string, readonly Value[]>>,
  id: string,
): ReadonlyMap<string, readonly Value[]> {
  return new Map([...byPath].map(([path, byId]) => [path, byId.get(id) ?? []]));
}
