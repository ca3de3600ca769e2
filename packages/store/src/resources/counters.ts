/**
 * How many live resources there are of a type, counted by those who write them. The same rows tell by which schemas new
 * ones must be made: whoever counts one holds the row that a change of its type has to change.
 * @module
 */
import { type Sql, sql } from "../sql.ts";
import type { BatchStatement } from "../steps.ts";

/** A change of the number of live resources of a type. */
export interface CountChange {
  readonly tenant: string;
  readonly type: string;
  readonly change: number;
  /** Revision of the tenant's schemas that new resources were made by; null or missing where none is demanded. */
  readonly schemas?: number | null | undefined;
}

/** The statement that counts a change in a shard. */
export function countStatement({ tenant, type, change }: CountChange, shard: number): Sql {
  return sql`INSERT INTO resource_counters (tenant, type, shard, n) VALUES (${tenant}, ${type}, ${shard}, ${change})
    ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n`;
}

/**
 * The statement that counts a change in a shard; where schemas are demanded, with what proves that the type did not
 * change its meaning since. The proof is a statement of its own: behind the lock of the row it sees what was waited for.
 */
export function provenCount(change: CountChange, shard: number): BatchStatement {
  const statement = countStatement(change, shard);
  const proof = schemasProof(change, shard);
  return proof === null ? { statement } : { statement, proof };
}

/**
 * A query that answers a row where resources made by their schemas may still come, since neither their type changed nor
 * their tenant was deleted; null where no schemas are demanded.
 */
export function schemasProof({ tenant, type, schemas }: CountChange, shard: number): Sql | null {
  if (schemas === undefined || schemas === null) return null;
  return sql`SELECT 1 AS served WHERE NOT EXISTS (SELECT 1 FROM resource_counters
    WHERE tenant = ${tenant} AND type = ${type} AND shard = ${shard} AND schemas > ${schemas})
    AND NOT EXISTS (SELECT 1 FROM tenants WHERE tenant = ${tenant} AND state = 'deleted')`;
}

/** A type that changes its meaning, and the revision of the tenant's schemas from which on new resources are made. */
export interface TypeChange {
  readonly tenant: string;
  readonly type: string;
  readonly schemas: number;
}

/**
 * The statement that demands schemas of what is created from now on: it waits for those that have counted a new
 * resource, and whoever counts one later finds it.
 */
export function demandSchemas({ tenant, type, schemas }: TypeChange, shard: number): Sql {
  return sql`INSERT INTO resource_counters (tenant, type, shard, n, schemas)
    VALUES (${tenant}, ${type}, ${shard}, 0, ${schemas})
    ON CONFLICT (tenant, type, shard) DO UPDATE SET schemas = excluded.schemas`;
}
