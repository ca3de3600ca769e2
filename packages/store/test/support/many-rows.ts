/**
 * Tables of PostgreSQL with tenants of very different size, filled by statements, for plans that depend on it.
 * @module
 */
import type { Client } from "pg";

/** Tenants and how many users each has; a tenth as many groups, of twenty members. */
export const TENANTS: readonly (readonly [string, number])[] = [
  ["big", 20_000],
  ["north", 2000],
  ["small", 3],
];

/** What a user of a number holds. */
export const user = {
  id: (number: number): string => `u${String(number).padStart(7, "0")}`,
  name: (number: number): string => `user-${String((number * 7919) % 1_000_000).padStart(6, "0")}`,
};

const KEY = (text: string): string => `convert_to(${text}, 'UTF8')`;
const NUMBER = "lpad(n::text, 7, '0')";
const NAME = "'user-' || lpad((n * 7919 % 1000000)::text, 6, '0')";

/** Fills the tables as plans would, and lets the planner know what is in them. */
export async function fillTables(client: Client): Promise<void> {
  for (const [tenant, users] of TENANTS) {
    const groups = Math.ceil(users / 10);
    await client.query(resources(tenant, "User", users));
    await client.query(resources(tenant, "Group", groups));
    await client.query(entries(tenant, { type: "User", path: "userName", key: KEY(NAME), count: users }));
    await client.query(entries(tenant, { type: "User", path: "externalId", key: KEY(NAME), count: users }));
    await client.query(
      entries(tenant, {
        type: "User",
        path: "displayName",
        key: KEY("'person ' || (n % 500)"),
        count: users,
      }),
    );
    await client.query(
      entries(tenant, {
        type: "User",
        path: "emails.value",
        key: KEY(`${NAME} || '@example.com'`),
        count: users,
      }),
    );
    await client.query(
      entries(tenant, { type: "Group", path: "displayName", key: KEY("'group ' || n"), count: groups }),
    );
    await client.query(
      entries(tenant, { type: "Group", path: "externalId?", key: KEY("''"), count: groups }),
    );
    await client.query(members(tenant, groups, users));
    await client.query(
      `INSERT INTO resource_counters (tenant, type, shard, n)
       VALUES ('${tenant}', 'User', 0, ${String(users)}), ('${tenant}', 'Group', 0, ${String(groups)})`,
    );
  }
  await client.query("VACUUM (ANALYZE)");
}

function resources(tenant: string, type: "User" | "Group", count: number): string {
  const id = `'${type === "User" ? "u" : "g"}' || ${NUMBER}`;
  return `INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body, indexed_version)
    SELECT '${tenant}', '${type}', ${id}, 'first', 1, 'v' || n,
      to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
      to_char(timestamp '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
      '{"displayName":"' || n || '"}', 'v' || n
    FROM generate_series(1, ${String(count)}) AS n`;
}

interface Entries {
  readonly type: "User" | "Group";
  readonly path: string;
  readonly key: string;
  readonly count: number;
}

function entries(tenant: string, { type, path, key, count }: Entries): string {
  return `INSERT INTO attribute_index (tenant, type, path, key, id)
    SELECT '${tenant}', '${type}', '${path}', ${key}, '${type === "User" ? "u" : "g"}' || ${NUMBER}
    FROM generate_series(1, ${String(count)}) AS n`;
}

function members(tenant: string, groups: number, users: number): string {
  return `INSERT INTO reference_values (tenant, type, owner, path, position, value, rest)
    SELECT DISTINCT ON (g, m) '${tenant}', 'Group', 'g' || lpad(g::text, 7, '0'), 'members', i,
      'u' || lpad(m::text, 7, '0'), '{"type":"User"}'
    FROM generate_series(1, ${String(groups)}) AS g, generate_series(1, 20) AS i,
      LATERAL (SELECT 1 + (g * 31 + i * 17) % ${String(users)} AS m) AS member`;
}
