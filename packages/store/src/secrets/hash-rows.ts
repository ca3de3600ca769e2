/**
 * The hashes of secrets as rows beside their resource: what is written with it, goes with it, and is found while it is live.
 * @module
 */
import type { SecretChange, SecretTarget } from "@scim/core";
import type { EntryOwner } from "../resources/entries.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Steps, textOf } from "../steps.ts";

/** The statements of changes to the hashes of a resource. */
export function changeHashes(owner: EntryOwner, changes: readonly SecretChange[]): readonly Sql[] {
  return changes.map(({ path, hash }) => {
    if (hash === null) return sql`DELETE FROM secret_hashes WHERE ${ownHashes(owner)} AND path = ${path}`;
    const { tenant, type, id } = owner;
    return sql`INSERT INTO secret_hashes (tenant, type, id, path, hash)
      VALUES (${tenant}, ${type}, ${id}, ${path}, ${hash})
      ON CONFLICT (tenant, type, id, path) DO UPDATE SET hash = excluded.hash`;
  });
}

/** Removes all hashes of a resource. */
export function removeHashes(owner: EntryOwner): Sql {
  return sql`DELETE FROM secret_hashes WHERE ${ownHashes(owner)}`;
}

/** The hash of a secret; null where the resource is not there, is deleted, or has none. */
export function* findHash(tenant: string, { type, id, path }: SecretTarget): Steps<string | null> {
  const { rows }: Answer = yield sql`SELECT s.hash FROM secret_hashes s
    JOIN resources r ON r.tenant = s.tenant AND r.type = s.type AND r.id = s.id AND r.deleted IS NULL
    WHERE s.tenant = ${tenant} AND s.type = ${type} AND s.id = ${id} AND s.path = ${path}`;
  const [row] = rows;
  return row === undefined ? null : textOf(row, "hash");
}

function ownHashes({ tenant, type, id }: EntryOwner): Sql {
  return sql`tenant = ${tenant} AND type = ${type} AND id = ${id}`;
}
