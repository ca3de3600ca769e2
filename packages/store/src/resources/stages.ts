/**
 * The stages that are open: each has a place of its own in the database, on which the write that takes it over runs.
 * @module
 */
import { randomUUID } from "node:crypto";
import type {
  ReferenceStage,
  SettleReference,
  StageDifference,
  StoreScope,
  WritePlan,
  WriteResult,
} from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { type Sql, sql } from "../sql.ts";
import type { Answer, Executor, Outcome, StagePlace, Steps } from "../steps.ts";
import { unavailable } from "../unavailable.ts";
import type { WriteSetting } from "./plan-parts.ts";
import type { StageName } from "./purge-stages.ts";
import { compareStaged, leaveStaged } from "./stage-difference.ts";
import type { Comparison } from "./staged-collection.ts";
import { addStaged, amendStaged } from "./stage-rows.ts";
import { applyPlan } from "./write.ts";

/** The open stages of a store, by id. */
export class Stages {
  readonly #executor: Executor;
  readonly #dialect: Dialect;
  readonly #places = new Map<string, StagePlace>();

  constructor(executor: Executor, dialect: Dialect) {
    this.#executor = executor;
    this.#dialect = dialect;
  }

  /** Opens one. */
  async open({ tenant, signal }: StoreScope): Promise<ReferenceStage> {
    const stage = randomUUID();
    const place = await this.#executor.openStage(signal);
    const created = new Date().toISOString();
    try {
      await place.run(() =>
        alone(
          sql`INSERT INTO reference_stages (tenant, stage, created) VALUES (${tenant}, ${stage}, ${created})`,
        ),
      );
    } catch (error) {
      await place.close(tenant, stage);
      throw error;
    }
    this.#places.set(stage, place);
    return this.#stageOf(place, { tenant, stage });
  }

  /**
   * Applies a plan that takes a stage over.
   * @throws ScimError `unavailable` where the stage is gone
   */
  async write(scope: StoreScope, plan: WritePlan, stage: string): Promise<WriteResult> {
    const place = this.#places.get(stage);
    if (place === undefined) throw new TypeError(`There is no stage ${stage}`);
    const dialect = this.#dialect;
    const name = { tenant: scope.tenant, stage };
    const result = await place.write((transaction) => takeOver({ scope, dialect, transaction }, name, plan));
    if (result === null) throw stageGone();
    return result;
  }

  #stageOf(
    place: StagePlace,
    { tenant, stage }: { readonly tenant: string; readonly stage: string },
  ): ReferenceStage {
    const dialect = this.#dialect;
    /** Position of the next value, over all collections: order is all that counts. */
    let position = 1;
    return {
      id: stage,
      add: (path, batch) => {
        const first = position;
        position += batch.size;
        return place.run(() => addStaged({ tenant, stage, path }, { batch, position: first }, dialect));
      },
      amend: (path, batch) =>
        place.run(() => alone(amendStaged({ tenant, stage, path }, { batch, column: "rest" }, dialect))),
      compare: async ({ type, id, path }, settle) => {
        const comparison = { staged: { tenant, stage, path }, owner: { tenant, type, owner: id, path } };
        const difference = await place.run(() => compareHeld(comparison, settle, dialect));
        if (difference === null) throw stageGone();
        return difference;
      },
      leave: async ({ type, id, path }) => {
        const comparison = { staged: { tenant, stage, path }, owner: { tenant, type, owner: id, path } };
        const difference = await place.run(() => compareHeld(comparison, null, dialect));
        if (difference === null) throw stageGone();
        return difference;
      },
      close: async () => {
        if (!this.#places.delete(stage)) return;
        await place.close(tenant, stage);
      },
    };
  }
}

// Apart from what calls them: V8 keeps what a generator function that is made for each call knows, such as a batch of members,
// until old objects are collected.

function* alone(statement: Sql): Steps<void> {
  yield statement;
}

/** Applies a plan on a stage; null where that is gone. */
function* takeOver(
  setting: WriteSetting,
  name: StageName,
  plan: WritePlan,
): Steps<Outcome<WriteResult | null>> {
  if (!(yield* holdStage(name, setting.dialect))) return { keep: false, result: null };
  return yield* applyPlan(setting, plan);
}

/**
 * Null where the stage is gone.
 * @param settle null where the collection loses what is staged
 */
function* compareHeld(
  comparison: Comparison,
  settle: SettleReference | null,
  dialect: Dialect,
): Steps<StageDifference | null> {
  if (!(yield* holdStage(comparison.staged, dialect))) return null;
  if (settle === null) return yield* leaveStaged(comparison, dialect);
  return yield* compareStaged(comparison, settle, dialect);
}

/**
 * Whether a stage is there; nobody removes it then until the transaction ends. Whoever purges takes one for abandoned whose time
 * by a clock is a day ago, and clocks differ: what it held must not be missing from the collection that is to be like it.
 */
function* holdStage({ tenant, stage }: StageName, { lockedRows }: Dialect): Steps<boolean> {
  const { rows }: Answer = yield sql`SELECT created FROM reference_stages
    WHERE tenant = ${tenant} AND stage = ${stage} ${lockedRows}`;
  return rows.length > 0;
}

function stageGone(): Error {
  return unavailable("What was brought in for the write was removed before it. Send it again.");
}
