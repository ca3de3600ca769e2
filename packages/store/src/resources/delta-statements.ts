/**
 * A short change of a reference collection, as statements that wait for no answer.
 * @module
 */
import type { CollectionDelta, ReferenceValue } from "@scim/core";
import { joinSql, type Sql, sql } from "../sql.ts";
import type { Dialect } from "../dialect.ts";
import { type CollectionOwner, removeValue } from "./collections.ts";

/** Values that come or go in a change that is short. */
const SHORT = 64;

/** The statements of a change, or null where it is long, or where nobody knows how long. */
export function deltaStatements(
  collection: CollectionOwner,
  { remove, add }: CollectionDelta,
  dialect: Dialect,
): readonly Sql[] | null {
  if (remove === "all" || remove.length > SHORT || add.length > SHORT) return null;
  // One statement a value: of a list, a database may prefer to look for it through the whole collection.
  const removals = remove.map((value) => removeValue(collection, value, dialect));
  return add.length === 0 ? removals : [...removals, addValues(collection, add)];
}

/** New values come behind all others; one that is there keeps its place. */
function addValues({ tenant, type, owner, path }: CollectionOwner, values: readonly ReferenceValue[]): Sql {
  // A value that is named twice has the place of the first and the content of the last.
  const distinct = [...new Map(values.map((value) => [value.value, value])).values()];
  const rows = distinct.map(
    ({ value, rest }, index) =>
      sql`SELECT ${place(index)} AS place, ${value} AS value, ${JSON.stringify(rest)} AS rest`,
  );
  // As a value: joined to the rows, SQLite goes through the whole collection for the last position.
  const last = sql`(SELECT coalesce(max(position), 0) FROM reference_values
    WHERE tenant = ${tenant} AND type = ${type} AND owner = ${owner} AND path = ${path})`;
  // With the tenant from the owner's row: of several nodes, that of the tenant does it alone.
  return sql`INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
    SELECT r.tenant, r.type, r.id, ${path}, ${last} + added.place, added.value, added.rest
    FROM resources r CROSS JOIN (${joinSql(rows, " UNION ALL ")}) AS added
    WHERE r.tenant = ${tenant} AND r.type = ${type} AND r.id = ${owner}
    ON CONFLICT (tenant, value, type, path, owner) DO UPDATE SET rest = excluded.rest`;
}

/** A number as text, since a database cannot tell the type of a parameter there. */
function place(index: number): Sql {
  return { text: String(index + 1), params: [] };
}
