/**
 * Ids that come from elsewhere: no resource of another type of the tenant may have them, a deleted one included (RFC 7643 §3.1).
 * Ids that the service makes are not asked about.
 * @module
 */
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Steps, textOf } from "../steps.ts";
import type { EntryOwner } from "./entries.ts";

/** A query that answers a row where no resource of another type has the id. */
export function isFreeId({ tenant, type, id }: EntryOwner): Sql {
  return sql`SELECT 1 AS free WHERE NOT EXISTS (${typesOfRows(tenant)}
    SELECT 1 FROM types t JOIN resources r ON r.tenant = ${tenant} AND r.type = t.type AND r.id = ${id}
    WHERE t.type <> ${type})`;
}

/** Of which other types a tenant has resources, deleted ones included. */
export function* otherTypes(tenant: string, type: string): Steps<readonly string[]> {
  const { rows }: Answer = yield sql`${typesOfRows(tenant)}
    SELECT t.type FROM types t WHERE t.type IS NOT NULL AND t.type <> ${type}`;
  return rows.map((row) => textOf(row, "type"));
}

/**
 * The table `types` of the types that rows have, by a look into the primary key for each. Counters of types that are new in this
 * transaction may come at its end.
 */
function typesOfRows(tenant: string): Sql {
  return sql`WITH RECURSIVE types (type) AS (
      SELECT min(type) FROM resources WHERE tenant = ${tenant}
      UNION ALL
      SELECT (SELECT min(r.type) FROM resources r WHERE r.tenant = ${tenant} AND r.type > t.type)
      FROM types t WHERE t.type IS NOT NULL)`;
}
