/**
 * Applies many plans in one transaction.
 * @module
 */
import type { ImportStep, WriteAllResult, WritePlan } from "@scim/core";
import type { WriteSetting } from "../resources/plan-parts.ts";
import { applyWithin } from "../resources/write.ts";
import type { Outcome, Steps } from "../steps.ts";
import { moveOn } from "./progress.ts";

/** Applies plans of different resources one by one, and a step of a run, or nothing of it. */
export function* writeAll(
  setting: WriteSetting,
  plans: readonly WritePlan[],
  step: ImportStep | null,
): Steps<Outcome<WriteAllResult>> {
  for (const plan of plans) {
    const result = yield* applyWithin(setting, plan);
    if (result.kind !== "written") return { keep: false, result: { kind: "refused", result } };
  }
  if (step !== null) yield moveOn(setting.scope.tenant, step);
  return { keep: true, result: { kind: "written" } };
}
