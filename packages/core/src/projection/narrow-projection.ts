/**
 * The parts of a projection request that concern each of several resource types.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { ProjectionRequest } from "../requests.ts";
import { readNames } from "./projection-names.ts";
import { isNamed } from "./selection.ts";

/** What a request says to one of several types. */
export type Narrowed = (model: ResourceModel) => ProjectionRequest;

/**
 * Leaves out, for each type, the names that it does not have. Those that none has stay for the first, to be refused or told
 * once.
 * @throws ScimError `invalidValue` where there are too many names
 */
export function narrowProjection(
  { attributes, excludedAttributes }: ProjectionRequest,
  models: readonly ResourceModel[],
  context: RequestContext,
): Narrowed {
  const [shown, hidden] = [attributes, excludedAttributes].map((names) =>
    names === null ? null : narrowNames(names, models, context),
  );
  return (model) => ({
    attributes: shown?.get(model) ?? null,
    excludedAttributes: hidden?.get(model) ?? null,
  });
}

function narrowNames(
  texts: readonly string[],
  models: readonly ResourceModel[],
  context: RequestContext,
): ReadonlyMap<ResourceModel, readonly string[]> {
  const narrowed = new Map<ResourceModel, string[]>(models.map((model) => [model, []]));
  const [first] = models;
  for (const name of readNames(texts)) {
    const having = models.filter((model) => isNamed(model, name, context));
    const told = having.length > 0 || first === undefined ? having : [first];
    for (const model of told) narrowed.get(model)?.push(name.text);
  }
  return narrowed;
}
