/**
 * The stages that are open: each has a place of its own in the database, on which the write that takes it over runs.
 * @module
 */
import { randomUUID } from "node:crypto";
import type { ReferenceStage, StoreScope, WritePlan, WriteResult } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { sql } from "../sql.ts";
import type { Executor, StagePlace } from "../steps.ts";
import { compareStaged } from "./stage-difference.ts";
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
      await place.run(function* () {
        yield sql`INSERT INTO reference_stages (tenant, stage, created) VALUES (${tenant}, ${stage}, ${created})`;
      });
    } catch (error) {
      await place.close(tenant, stage);
      throw error;
    }
    this.#places.set(stage, place);
    return this.#stageOf(place, { tenant, stage });
  }

  /** Applies a plan that takes a stage over. */
  write(scope: StoreScope, plan: WritePlan, stage: string): Promise<WriteResult> {
    const place = this.#places.get(stage);
    if (place === undefined) throw new TypeError(`There is no stage ${stage}`);
    const dialect = this.#dialect;
    return place.write((transaction) => applyPlan({ scope, dialect, transaction }, plan));
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
        place.run(function* () {
          yield amendStaged({ tenant, stage, path }, { batch, column: "rest" }, dialect);
        }),
      compare: ({ type, id, path }, settle) => {
        const comparison = { staged: { tenant, stage, path }, owner: { tenant, type, owner: id, path } };
        return place.run(() => compareStaged(comparison, settle, dialect));
      },
      close: async () => {
        if (!this.#places.delete(stage)) return;
        await place.close(tenant, stage);
      },
    };
  }
}
