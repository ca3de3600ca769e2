/**
 * A stage in tables that all connections share: for databases where a write runs beside the requests anyway, or where
 * there is one connection.
 * @module
 */
import { removeStage } from "./resources/purge-stages.ts";
import type { Executor, Outcome, StagePlace, Steps } from "./steps.ts";

/** Makes a place whose rows are written as all others are, each call in a transaction of its own. */
export function sharedStage(write: Executor["write"]): StagePlace {
  return {
    run: (makeSteps) => write(() => kept(makeSteps())),
    write,
    close: (tenant, stage) => write(() => kept(removeStage({ tenant, stage }))),
  };
}

function* kept<Result>(steps: Steps<Result>): Steps<Outcome<Result>> {
  return { keep: true, result: yield* steps };
}
