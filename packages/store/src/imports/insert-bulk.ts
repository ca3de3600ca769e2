/**
 * Writes new resources with few statements: many rows each. What they leave is what one plan after another leaves.
 * @module
 */
import type { ImportStep, WriteAllResult } from "@scim/core";
import { revisionOf } from "../indexes/view.ts";
import { provenCount } from "../resources/counters.ts";
import { heldRule } from "../resources/entries.ts";
import type { WriteSetting } from "../resources/plan-parts.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Outcome, type Steps } from "../steps.ts";
import type { Bulk, BulkRule } from "./bulk.ts";
import { insertRows } from "./insert-rows.ts";
import { moveOn } from "./progress.ts";

/** What new resources have in common that are inserted together. */
export interface GroupHead {
  readonly type: string;
  /** Whether their ids come from elsewhere: no resource of another type may have one. */
  readonly keepsIds: boolean;
  /** Revision of the tenant's schemas that they were made by. */
  readonly schemas: number | null;
  /** Revision of the catalog of indexes that the entries cover. */
  readonly indexRevision: number | null;
  readonly count: number;
  /** Rules of connections that are kept one by one where they are held. */
  readonly rules: readonly BulkRule[];
}

/** Resources to insert, and the step of a run that they are. */
export interface Insertable<Group extends GroupHead> {
  readonly groups: readonly Group[];
  /** How many resources the groups have. */
  readonly count: number;
  readonly step: ImportStep | null;
}

/** What the rows of a group are written with. */
export interface GroupSetting extends WriteSetting {
  /** Number of the transaction. */
  readonly number: Sql;
  /** Place of an event in the transaction, by the place of its resource among all: one follows the other. */
  readonly sequenceOf: (place: number) => number;
  /** Whether the entries are those that the catalog of indexes asks for. */
  readonly isIndexed: boolean;
}

/** Inserts the rows of a group; answers false where one of them stands in the way of all. */
export type GroupInsertion<Group extends GroupHead> = (setting: GroupSetting, group: Group) => Steps<boolean>;

/** Why nothing is kept: only the plans one by one tell which of them stands in the way. */
const REFUSED: Outcome<WriteAllResult> = { keep: false, result: { kind: "refused", result: null } };

/** Writes resources and the step of a run, or nothing of it. */
export function insertBulk(setting: WriteSetting, bulk: Bulk): Steps<Outcome<WriteAllResult>> {
  return insertGroups(setting, bulk, insertRows);
}

/**
 * Writes resources and the step of a run, or nothing of it.
 * @param insert how the database inserts rows best
 */
export function* insertGroups<Group extends GroupHead>(
  setting: WriteSetting,
  { groups, count, step }: Insertable<Group>,
  insert: GroupInsertion<Group>,
): Steps<Outcome<WriteAllResult>> {
  const { scope, dialect, transaction } = setting;
  const { tenant } = scope;
  if (dialect.keptIdLock !== null && groups.some(({ keepsIds }) => keepsIds))
    yield dialect.keptIdLock(tenant);
  const number = yield* transaction.number(tenant);
  const sequences = Array.from({ length: count }, () => transaction.nextSequence());
  const sequenceOf = (place: number): number => sequences[place] ?? 0;
  for (const group of groups) {
    for (const rule of group.rules)
      if (yield* hasRow(sql`SELECT 1 AS held ${heldRule(tenant, rule, dialect)}`)) return REFUSED;
    const isIndexed = group.indexRevision === (yield* readRevision(tenant, group.type));
    const isDone = yield* insert({ ...setting, number, sequenceOf, isIndexed }, group);
    if (!isDone) return REFUSED;
    const counted = provenCount(
      { tenant, type: group.type, change: group.count, schemas: group.schemas },
      dialect.counterShard(),
    );
    yield counted.statement;
    if (counted.proof !== undefined && !(yield* hasRow(counted.proof))) return REFUSED;
  }
  if (step !== null) yield moveOn(tenant, step);
  return { keep: true, result: { kind: "written" } };
}

function* hasRow(query: Sql): Steps<boolean> {
  const { rows }: Answer = yield query;
  return rows.length > 0;
}

/** Revision of the catalog of indexes. One that moves on from here waits for this transaction before it builds. */
function* readRevision(tenant: string, type: string): Steps<number | null> {
  const { rows }: Answer = yield sql`SELECT ${revisionOf(tenant, type)} AS revision`;
  const [row] = rows;
  return row === undefined ? null : numberOf(row, "revision");
}
