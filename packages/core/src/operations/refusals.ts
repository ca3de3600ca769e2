/**
 * The errors that operations share.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { ResourceModel } from "../model/resource-model.ts";
import type { UniqueEntry } from "../store/write-plan.ts";

/** No such resource: never there, deleted, or another tenant's. All answers are the same. */
export function notFound(model: ResourceModel): ScimError {
  return new ScimError("notFound", `There is no ${model.name} of this id.`);
}

/** A value that another resource holds. */
export function duplicate(entry: UniqueEntry): ScimError {
  return new ScimError(
    "uniqueness",
    `The value of attribute '${entry.path}' belongs to another resource: choose another value.`,
  );
}

/** An id that another resource has: an `id` is unique over the whole service (RFC 7643 §3.1). */
export function idTaken(): ScimError {
  return new ScimError(
    "uniqueness",
    "The id belongs to another resource, which may be of another type, or a deleted one: restore that, or import the record without its id.",
  );
}

/** The resource type or its tenant went, or the type changed its meaning, while the request was under way. */
export function outdated(type: string): ScimError {
  return new ScimError(
    "unavailable",
    `The resource type ${type}, or its tenant, was changed while the request was under way: repeat the request.`,
    { headers: { "retry-after": "1" } },
  );
}

/** Others were faster, time and again. */
export function tooBusy(): ScimError {
  return new ScimError("unavailable", "The resource changes too fast to be written: repeat the request.", {
    headers: { "retry-after": "1" },
  });
}
