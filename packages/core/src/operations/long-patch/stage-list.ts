/**
 * Reads the long list of a PATCH some values at a time, and stages them: others have their turn meanwhile.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { newContentOf } from "../../patch/new-content.ts";
import { pause } from "../../pause.ts";
import { ReferenceReader, type FoundReferences } from "../long-body/reference-reader.ts";
import type { RequestStage } from "../long-body/staged-changes.ts";
import { byCollection, isOpenToStages } from "../needed-references.ts";
import type { BoundPatch } from "../patch-plan.ts";

/** Values that are read at once. */
const BATCH = 500;

/**
 * Stages the list that a PATCH gives to the one collection that it changes, where that is long and comes to hold
 * nothing else. Answers what was found in it, by the list.
 */
export async function stageList(
  environment: Environment,
  context: RequestContext,
  { patch, stage }: { readonly patch: BoundPatch; readonly stage: RequestStage },
): Promise<ReadonlyMap<JsonValue, FoundReferences>> {
  const [only, ...others] = byCollection(patch.operations);
  if (only === undefined || others.length > 0) return new Map();
  const [node, operations] = only;
  const list = isOpenToStages(node) ? (newContentOf(operations)?.list ?? null) : null;
  if (list === null || list.length <= environment.limits.heldReferences) return new Map();
  const { model } = patch;
  const { validator } = environment;
  const reader = new ReferenceReader({
    model,
    node,
    profile: context.profile,
    validator,
    givenBy: "operation",
  });
  for (let start = 0; start < list.length; start += BATCH) {
    const batch = reader.read(list.slice(start, start + BATCH));
    if (batch !== null) await stage.add(model, node, batch);
    await pause(context);
  }
  return new Map([[list, reader.found()]]);
}
