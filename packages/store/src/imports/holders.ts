/**
 * Finds who holds keys: many at once.
 * @module
 */
import type { KeyHolder, KeyLookup } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { joinSql, type Sql, sql, type SqlValue } from "../sql.ts";
import { type Answer, type Steps, textOf } from "../steps.ts";

/** Keys of one query. The last query repeats a key until it has as many, so that its text is the same. */
const QUERY_KEYS = 250;

/** Who holds the keys. */
export function* findHolders(
  tenant: string,
  lookup: KeyLookup,
  dialect: Dialect,
): Steps<readonly KeyHolder[]> {
  const holders: KeyHolder[] = [];
  for (let start = 0; start < lookup.keys.length; start += QUERY_KEYS) {
    const keys = lookup.keys.slice(start, start + QUERY_KEYS);
    const byForm = new Map(keys.map((key) => [formOf(dialect.keys.bounded(key)), key]));
    const { rows }: Answer = yield query(
      tenant,
      lookup,
      keys.map((key) => dialect.keys.bounded(key)),
    );
    for (const row of rows) {
      const key = byForm.get(formOf(row["key"] ?? null));
      if (key !== undefined) holders.push({ key, id: textOf(row, "id") });
    }
  }
  return holders;
}

function query(tenant: string, { type, path, unique }: KeyLookup, keys: readonly SqlValue[]): Sql {
  const [first = null] = keys;
  const padded = keys.concat(Array.from({ length: QUERY_KEYS - keys.length }, () => first));
  const list = joinSql(
    padded.map((key) => sql`${key}`),
    ", ",
  );
  return unique === null
    ? sql`SELECT x.key, x.id FROM attribute_index x
        WHERE x.tenant = ${tenant} AND x.type = ${type} AND x.path = ${path} AND x.key IN (${list})`
    : sql`SELECT x.key, x.id FROM unique_values x WHERE x.tenant = ${tenant} AND x.scope = ${unique}
        AND x.path = ${path} AND x.key IN (${list}) AND x.type = ${type}`;
}

/** A key as the database holds it, as text: equal for equal ones alone. */
function formOf(value: SqlValue): string {
  return value instanceof Uint8Array
    ? `x${Buffer.from(value).toString("base64")}`
    : `${typeof value} ${String(value)}`;
}
