/**
 * How many live resources there are of a type, counted by those who write them.
 * @module
 */
import { type Sql, sql } from "../sql.ts";

/** A change of the number of live resources of a type. */
export interface CountChange {
  readonly tenant: string;
  readonly type: string;
  readonly change: number;
}

/** The statement that counts a change in a shard. */
export function countStatement({ tenant, type, change }: CountChange, shard: number): Sql {
  return sql`INSERT INTO resource_counters (tenant, type, shard, n) VALUES (${tenant}, ${type}, ${shard}, ${change})
    ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n`;
}
