/**
 * Makes answers of stored resources.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { locationOf } from "../projection/addresses.ts";
import { represent } from "../projection/represent.ts";
import type { Selection } from "../projection/selection.ts";
import type { ResourceAnswer } from "../answers.ts";
import {
  type InverseValue,
  NO_VERSION,
  type StoredResource,
  type StoredText,
} from "../store/stored-resource.ts";
import { representationVersion } from "../versioning/version.ts";

/** Raw version of a representation: the write's, and a digest of what was derived into it; empty where it has none. */
export function versionOf(
  environment: Environment,
  stored: Pick<StoredResource, "version" | "inverses">,
): string {
  if (stored.version === NO_VERSION) return NO_VERSION;
  const derived: [path: string, values: readonly InverseValue[]][] = [];
  for (const [path, values] of stored.inverses) if (values.length > 0) derived.push([path, values]);
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
  const { baseUrl } = context;
  const version = versionOf(environment, stored);
  const location = locationOf(model, stored.id, baseUrl);
  const resource = represent(model, selection, { stored, version, location, baseUrl });
  return { kind: "resource", resource, version, location };
}

/** A resource as an answer whose text is made of what the store keeps. */
export function answerWithText(
  environment: Environment,
  input: { readonly model: ResourceModel; readonly stored: StoredText; readonly selection: Selection },
  { baseUrl }: RequestContext,
): ResourceAnswer {
  const { model, stored, selection } = input;
  const version = versionOf(environment, stored);
  const location = locationOf(model, stored.id, baseUrl);
  const text = environment.texts.textOf(model, selection, { stored, version, location, baseUrl });
  return new TextAnswer({ text, version, location });
}

class TextAnswer implements ResourceAnswer {
  readonly kind = "resource";
  readonly text: string;
  readonly version: string;
  readonly location: string;

  constructor({ text, version, location }: Readonly<Record<"text" | "version" | "location", string>>) {
    this.text = text;
    this.version = version;
    this.location = location;
  }

  // Whoever sends the text never asks for it.
  get resource(): JsonObject {
    // A representation is an object.
    return JSON.parse(this.text) as JsonObject;
  }
}
