/**
 * Finds who holds keys: many at once.
 * @module
 */
import type { KeyHolder, KeyLookup } from "@scim/core";
import { boundedKey } from "../bounded-key.ts";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql, type SqlValue } from "../sql.ts";
import { type Answer, type Steps, textOf } from "../steps.ts";

/** Keys of one query. The last query repeats a key until it has as many, so that its text is the same. */
const QUERY_KEYS = 250;

const PLACES = Array.from({ length: QUERY_KEYS }, () => "?").join(", ");

/** Who holds the keys. */
export function* findHolders(
  tenant: string,
  lookup: KeyLookup,
  dialect: Dialect,
): Steps<readonly KeyHolder[]> {
  const holders: KeyHolder[] = [];
  for (let start = 0; start < lookup.keys.length; start += QUERY_KEYS) {
    const keys = lookup.keys.slice(start, start + QUERY_KEYS);
    const { rows }: Answer = yield query(tenant, { ...lookup, keys }, dialect);
    if (rows.length === 0) continue;
    const byForm = new Map(keys.map((key) => [boundedKey(dialect.keys, key), key]));
    for (const row of rows) {
      const key = byForm.get(dialect.keys.read(row["found"]));
      if (key !== undefined) holders.push({ key, id: textOf(row, "id") });
    }
  }
  return holders;
}

function query(tenant: string, { type, path, unique, keys }: KeyLookup, dialect: Dialect): Sql {
  const forms: readonly SqlValue[] = keys.map((key) => dialect.keys.bounded(key));
  const padding = Array.from({ length: QUERY_KEYS - forms.length }, () => forms[0] ?? null);
  const list: Sql = { text: PLACES, params: [...forms, ...padding] };
  const found = dialect.keys.readable(sql`x.key`);
  return unique === null
    ? sql`SELECT ${found} AS found, x.id FROM attribute_index x
        WHERE x.tenant = ${tenant} AND x.type = ${type} AND x.path = ${path} AND x.key IN (${list})`
    : sql`SELECT ${found} AS found, x.id FROM unique_values x WHERE x.tenant = ${tenant} AND x.scope = ${unique}
        AND x.path = ${path} AND x.key IN (${list}) AND x.type = ${type}`;
}
