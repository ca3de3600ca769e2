/**
 * Writes new resources with few statements: many rows each. What they leave is what one plan after another leaves.
 * @module
 */
import type { WriteAllResult } from "@scim/core";
import { revisionOf } from "../indexes/view.ts";
import type { WriteSetting } from "../resources/plan-parts.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Outcome, type Steps } from "../steps.ts";
import type { Bulk, BulkGroup } from "./bulk.ts";
import { insertRows } from "./insert-rows.ts";
import { moveOn } from "./progress.ts";

/** What the rows of a group are written with. */
export interface GroupSetting extends WriteSetting {
  /** Number of the transaction. */
  readonly number: Sql;
  /** Places of the events in the transaction, one for each resource of the group. */
  readonly sequences: readonly number[];
  /** Whether the entries are those that the catalog of indexes asks for. */
  readonly isIndexed: boolean;
}

/** Inserts the rows of a group; answers false where one of them stands in the way of all. */
export type GroupInsertion = (setting: GroupSetting, group: BulkGroup) => Steps<boolean>;

/** Why nothing is kept: only the plans one by one tell which of them stands in the way. */
const REFUSED: Outcome<WriteAllResult> = { keep: false, result: { kind: "refused", result: null } };

/**
 * Writes resources and the step of a run, or nothing of it.
 * @param insert how the database inserts rows best
 */
export function* insertBulk(
  setting: WriteSetting,
  { groups, step }: Bulk,
  insert: GroupInsertion = insertRows,
): Steps<Outcome<WriteAllResult>> {
  const { scope, dialect, transaction } = setting;
  const { tenant } = scope;
  const number = yield* transaction.number(tenant);
  const sequences = sequencesOf(setting, groups);
  for (const group of groups) {
    const isIndexed = group.indexRevision === (yield* readRevision(tenant, group.type));
    const places = group.places.map((place) => sequences[place] ?? 0);
    const isDone = yield* insert({ ...setting, number, sequences: places, isIndexed }, group);
    if (!isDone) return REFUSED;
    yield sql`INSERT INTO resource_counters (tenant, type, shard, n)
      VALUES (${tenant}, ${group.type}, ${dialect.counterShard()}, ${group.ids.length})
      ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n`;
  }
  if (step !== null) yield moveOn(tenant, step);
  return { keep: true, result: { kind: "written" } };
}

/** Events stand in the order of the plans, whatever their group. */
function sequencesOf({ transaction }: WriteSetting, groups: readonly BulkGroup[]): readonly number[] {
  const count = groups.reduce((sum, { places }) => sum + places.length, 0);
  return Array.from({ length: count }, () => transaction.nextSequence());
}

/** Revision of the catalog of indexes. One that moves on from here waits for this transaction before it builds. */
function* readRevision(tenant: string, type: string): Steps<number | null> {
  const { rows }: Answer = yield sql`SELECT ${revisionOf(tenant, type)} AS revision`;
  const [row] = rows;
  return row === undefined ? null : numberOf(row, "revision");
}
