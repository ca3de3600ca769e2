/**
 * Makes answers of stored resources.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { locationOf, represent } from "../projection/represent.ts";
import type { Selection } from "../projection/selection.ts";
import type { ResourceAnswer } from "../service.ts";
import { NO_VERSION, type StoredResource } from "../store/stored-resource.ts";
import { representationVersion } from "../versioning/version.ts";

/** Raw version of a representation: the write's, and a digest of what was derived into it; empty where it has none. */
export function versionOf(environment: Environment, stored: StoredResource): string {
  if (stored.version === NO_VERSION) return NO_VERSION;
  const derived = [...stored.inverses].filter(([, values]) => values.length > 0);
  return representationVersion(
    stored.version,
    derived.length === 0 ? "" : environment.sources.digest(JSON.stringify(derived)),
  );
}

/** A resource as an answer. */
export function answerWith(
  environment: Environment,
  input: { readonly model: ResourceModel; readonly stored: StoredResource; readonly selection: Selection },
  context: RequestContext,
): ResourceAnswer {
  const { model, stored, selection } = input;
  const version = versionOf(environment, stored);
  return {
    kind: "resource",
    resource: represent(model, selection, { stored, version, baseUrl: context.baseUrl }),
    version,
    location: locationOf(model, stored.id, context.baseUrl),
  };
}
