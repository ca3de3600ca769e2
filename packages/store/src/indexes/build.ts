/**
 * One step towards an index that is there, or gone: each is a transaction of its own, and says in it how far it came.
 * @module
 */
import { CLOCK_SKEW_MS } from "@scim/events";
import type { IndexSource } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { removeFirst } from "../first-rows.ts";
import { addIndexEntries } from "../resources/entries.ts";
import { liveResources, parseObject } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Outcome, type Steps, textOf } from "../steps.ts";
import {
  type DeclaredIndex,
  enterState,
  heldIndex,
  type HeldIndex,
  type IndexName,
  moveRevision,
} from "./declared-index.ts";
import { fewIds, heldBodies } from "./few-resources.ts";
import { giveLeaseBack, type Holder, takeLease } from "./lease.ts";
import { missingPath } from "./missing.ts";

/** Resources that one step goes through at most: few enough that no writer waits long. */
const BATCH = 100;

/** Entries that one step removes. */
const REMOVED = 1000;

/** What tells the entries of a path apart. */
const ENTRIES = [sql`key`, sql`id`];

/** What building needs. */
export interface BuildSetting {
  readonly dialect: Dialect;
  readonly holder: Holder;
  readonly source: IndexSource;
  /** Milliseconds in which processes hear of a declaration; they may be late, and make work then. */
  readonly grace: number;
}

/** `done`: there is more to do at once; `waiting`: later, or by another. */
export type Progress = "done" | "waiting";

/** Does the next step for an index that is not ready. */
export function* advanceIndex(setting: BuildSetting, index: DeclaredIndex): Steps<Outcome<Progress>> {
  if (!(yield* takeLease(index.tenant, setting.holder))) return { keep: false, result: "waiting" };
  const held = yield* heldIndex(index, setting.dialect);
  if (held === null || held.state === "ready") return { keep: true, result: "waiting" };
  if (held.state === "building") return { keep: true, result: yield* buildBatch(setting, index, held) };
  if (!(yield* isFenced(setting, index, held))) return { keep: true, result: "waiting" };
  if (held.state === "dropping") return { keep: true, result: yield* removeBatch(index) };
  yield* enterState(catalogOf(setting), index, "building");
  return { keep: true, result: "done" };
}

function catalogOf({ dialect, holder }: BuildSetting): { dialect: Dialect; now: () => string } {
  return { dialect, now: () => new Date(holder.now()).toISOString() };
}

/** Whether every transaction has ended that may not have seen the present state. */
function* isFenced(setting: BuildSetting, index: IndexName, held: HeldIndex): Steps<boolean> {
  const { dialect, holder, grace } = setting;
  const age = holder.now() - Date.parse(held.since);
  if (age < grace && age > -CLOCK_SKEW_MS) return false;
  const { openTransactions } = dialect;
  if (openTransactions === null) return true;
  if (held.fence === null) {
    yield sql`UPDATE attribute_indexes SET fence = CAST(${openTransactions.end} AS TEXT)
      WHERE tenant = ${index.tenant} AND type = ${index.type} AND path = ${index.path}`;
    return false;
  }
  const fence = sql`CAST(${held.fence} AS BIGINT)`;
  // A number that this database has not come to yet was brought from another one, whose transactions are over.
  const { rows }: Answer =
    yield sql`SELECT CASE WHEN ${openTransactions.first} >= ${fence} OR ${openTransactions.end} < ${fence}
      THEN 1 ELSE 0 END AS passed`;
  return Number(rows[0]?.["passed"] ?? 0) === 1;
}

/** Writes the entries of the next resources, whose rows nobody changes meanwhile. */
function* buildBatch(setting: BuildSetting, index: IndexName, { progress }: HeldIndex): Steps<Progress> {
  const { dialect, source } = setting;
  const { tenant, type, path } = index;
  const ids = yield* fewIds(
    sql`FROM ${liveResources(tenant, type)} AND r.id > ${progress} ORDER BY r.id`,
    BATCH,
  );
  const last = ids.at(-1);
  if (last === undefined) {
    yield* enterState(catalogOf(setting), index, "ready");
    return "done";
  }
  const { rows } = yield heldBodies(index, ids, dialect);
  for (const row of rows) {
    const entries = source.entries(type, parseObject(textOf(row, "body")), [path]);
    if (entries === null) {
      yield* giveLeaseBack(index.tenant, setting.holder);
      return "waiting";
    }
    yield* inTurn(addIndexEntries({ tenant, type, id: textOf(row, "id") }, entries, dialect));
  }
  yield sql`UPDATE attribute_indexes SET progress = ${last}, built = built + ${ids.length}
    WHERE tenant = ${tenant} AND type = ${type} AND path = ${path}`;
  return "done";
}

/** Carries out statements that need no answer. */
export function* inTurn(statements: readonly Sql[]): Steps<void> {
  for (const statement of statements) yield statement;
}

function* removeBatch({ tenant, type, path }: IndexName): Steps<Progress> {
  for (const each of [path, missingPath(path)]) {
    const of = sql`tenant = ${tenant} AND type = ${type} AND path = ${each}`;
    const entries = { table: sql`attribute_index`, of, order: ENTRIES };
    if ((yield* removeFirst(entries, REMOVED)) > 0) return "done";
  }
  yield sql`DELETE FROM attribute_indexes WHERE tenant = ${tenant} AND type = ${type} AND path = ${path}`;
  yield* moveRevision({ tenant, type }, { written: false });
  return "done";
}
