/**
 * The part of a projection request that concerns one of several resource types.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { ProjectionRequest } from "../requests.ts";
import { isNamed } from "./selection.ts";

/** A type among others. */
export interface TypeAmong {
  readonly model: ResourceModel;
  readonly models: readonly ResourceModel[];
}

/** Leaves out the names that this type does not have and another one has; those that none has stay, to be refused. */
export function narrowProjection(
  { attributes, excludedAttributes }: ProjectionRequest,
  { model, models }: TypeAmong,
  context: RequestContext,
): ProjectionRequest {
  const narrowed = (names: readonly string[] | null): readonly string[] | null =>
    names?.filter(
      (name) => isNamed(model, name, context) || !models.some((other) => isNamed(other, name, context)),
    ) ?? null;
  return { attributes: narrowed(attributes), excludedAttributes: narrowed(excludedAttributes) };
}
