/**
 * Inverse collections (`User.groups`): computed from the rows of others, in one statement for a page.
 * @module
 */
import type { InverseSelection, InverseSource, InverseValue, ReadSelection } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { fixedSql } from "../fixed-sql.ts";
import { joinSql, type Sql, sql, type SqlValue } from "../sql.ts";
import { numberOf, type Row, type Steps, textOf } from "../steps.ts";
import { isOfCollection } from "./collections.ts";
import { memberText } from "./rows.ts";

/**
 * Who refers to each of the resources, by id; ordered by type and id. Resources that are deleted are
 * neither found nor passed through.
 */
export function* readInverse(
  tenant: string,
  request: { readonly selection: InverseSelection; readonly ids: readonly string[] },
  dialect: Dialect,
): Steps<ReadonlyMap<string, readonly InverseValue[]>> {
  const { selection, ids } = request;
  const { sources } = selection.inverse;
  if (sources.length === 0 || ids.length === 0) return new Map();
  const [id] = ids;
  const [source] = sources;
  if (ids.length === 1 && id !== undefined && source !== undefined && isSimple(selection)) {
    const { rows } = yield ownersOfOne(dialect, ownerValues(tenant, { id, source }));
    return new Map([[id, rows.map((row) => inverseOf(row, [source]))]]);
  }
  const { rows } = yield selection.depth > 1
    ? transitive(tenant, { selection, ids }, dialect)
    : direct(tenant, { selection, ids }, dialect);
  const byTarget = new Map<string, InverseValue[]>();
  for (const row of rows) {
    const target = textOf(row, "target");
    const values = byTarget.get(target);
    if (values === undefined) byTarget.set(target, [inverseOf(row, sources)]);
    else values.push(inverseOf(row, sources));
  }
  return byTarget;
}

interface InverseRequest {
  readonly selection: InverseSelection;
  readonly ids: readonly string[];
}

/** An inverse that one look-up in the index answers. */
export interface SimpleInverse {
  readonly path: string;
  readonly source: InverseSource;
}

/** What a selection asks for beside the resource, where that is one inverse which one look-up answers; else null. */
export function onlyInverse({ collections, first = [], inverses }: ReadSelection): SimpleInverse | null {
  const [selection, ...others] = inverses;
  const source = selection?.inverse.sources[0];
  if (selection === undefined || source === undefined || others.length > 0) return null;
  if (collections.length + first.length > 0 || !isSimple(selection)) return null;
  return { path: selection.inverse.node.path, source };
}

/** Whether one look-up in the index answers it. */
function isSimple(selection: InverseSelection): boolean {
  return selection.depth === 1 && selection.inverse.sources.length === 1;
}

/** What a look-up of those who refer to one resource through one collection is given. */
export const OWNER_VALUES = ["tenant", "id", "ownerType", "collection", "displayKey"] as const;

type OwnerValues = Readonly<Record<(typeof OWNER_VALUES)[number], SqlValue>>;

/** The values of a look-up. */
export function ownerValues(
  tenant: string,
  { id, source }: { readonly id: string; readonly source: InverseSource },
): OwnerValues {
  return { tenant, id, ownerType: source.type, collection: source.collection, displayKey: source.displayKey };
}

/** Who refers to one resource through one collection. */
const ownersOfOne = fixedSql(
  OWNER_VALUES,
  (dialect, values) => sql`SELECT m.type, m.owner, 1 AS distance, ${displayOfOne(values, dialect)} AS display
    ${ownersOf(values, dialect)}
    ORDER BY m.owner`,
);

/** The name of the owner `r` of a row of a source. */
export function displayOfOne({ displayKey }: OwnerValues, dialect: Dialect): Sql {
  return dialect.jsonMember(sql`r.body`, sql`${displayKey}`);
}

/** Who refers to one resource through one collection, as rows `m` and their live owners `r`. */
export function ownersOf({ tenant, id, ownerType, collection }: OwnerValues, dialect: Dialect): Sql {
  const isOf = isOfCollection({ type: ownerType, path: collection }, dialect);
  return sql`FROM reference_values m CROSS JOIN resources r
    WHERE m.tenant = ${tenant} AND m.value = ${id} AND ${isOf} AND ${liveOwner(tenant, dialect)}`;
}

/** The collection of a source `s`. */
const SOURCE = { type: sql`s.type`, path: sql`s.path` };

function direct(tenant: string, { selection, ids }: InverseRequest, dialect: Dialect): Sql {
  return sql`WITH source (type, path, label) AS (${sourceRows(selection.inverse.sources)})
    SELECT DISTINCT m.value AS target, m.type, m.owner, 1 AS distance, ${displayOf(dialect)}
    FROM ${dialect.idList(ids)} t CROSS JOIN source s CROSS JOIN reference_values m CROSS JOIN resources r
    WHERE m.tenant = ${tenant} AND m.value = t.value AND ${isOfCollection(SOURCE, dialect)}
      AND ${liveOwner(tenant, dialect)}
    ORDER BY m.value, m.type, m.owner`;
}

/** The walk ends at the depth limit, so that a cycle of groups ends too; UNION keeps each step once. */
function transitive(tenant: string, { selection, ids }: InverseRequest, dialect: Dialect): Sql {
  return sql`WITH RECURSIVE source (type, path, label) AS (${sourceRows(selection.inverse.sources)}),
    walk (target, type, id, distance) AS (
      SELECT m.value, m.type, m.owner, 1
      FROM ${dialect.idList(ids)} t CROSS JOIN source s CROSS JOIN reference_values m CROSS JOIN resources r
      WHERE m.tenant = ${tenant} AND m.value = t.value AND ${isOfCollection(SOURCE, dialect)}
        AND ${liveOwner(tenant, dialect)}
      UNION
      SELECT w.target, m.type, m.owner, w.distance + 1
      FROM walk w CROSS JOIN source s CROSS JOIN reference_values m CROSS JOIN resources r
      WHERE w.distance < ${selection.depth}
        AND m.tenant = ${tenant} AND m.value = w.id AND ${isOfCollection(SOURCE, dialect)}
        AND ${liveOwner(tenant, dialect)}
    ),
    found (target, type, owner, distance) AS (
      SELECT target, type, id, min(distance) FROM walk GROUP BY target, type, id
    )
    SELECT m.target, m.type, m.owner, m.distance, ${displayOf(dialect)}
    FROM found m CROSS JOIN resources r CROSS JOIN (SELECT type, min(label) AS label FROM source GROUP BY type) s
    WHERE r.tenant = ${tenant} AND r.type = m.type AND r.id = m.owner AND s.type = m.type
    ORDER BY m.target, m.type, m.owner`;
}

/** Collections that feed an inverse, as rows; the empty label: no name to show. */
function sourceRows(sources: readonly InverseSource[]): Sql {
  return sql`VALUES ${joinSql(
    sources.map((source) => sql`(${source.type}, ${source.collection}, ${source.displayKey ?? ""})`),
    ", ",
  )}`;
}

/** Condition: `r` is the live owner of the row `m`, which is not found by its owner. */
function liveOwner(tenant: SqlValue, { unindexed }: Dialect): Sql {
  return sql`r.tenant = ${tenant} AND r.type = ${unindexed(sql`m.type`)} AND r.id = ${unindexed(sql`m.owner`)}
      AND r.deleted IS NULL`;
}

function displayOf(dialect: Dialect): Sql {
  return sql`CASE WHEN s.label = '' THEN NULL ELSE ${dialect.jsonMember(sql`r.body`, sql`s.label`)} END AS display`;
}

/** Reads who refers to a resource. */
export function inverseOf(row: Row, sources: readonly InverseSource[]): InverseValue {
  const type = textOf(row, "type");
  const displayKey = sources.find((source) => source.type === type)?.displayKey ?? null;
  return {
    type,
    id: textOf(row, "owner"),
    display: displayKey === null ? null : memberText(row["display"], displayKey),
    direct: numberOf(row, "distance") === 1,
  };
}
