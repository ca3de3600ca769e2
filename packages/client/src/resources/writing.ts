/**
 * Changes resources, on the version that is known (RFC 7644 §3.5, §3.6, §3.14).
 * @module
 */
import { patchOp, type PatchOperation } from "@scim/schemas";
import { UsageError } from "../errors/usage-error.ts";
import { bodyText } from "../exchange/body-text.ts";
import type { Call } from "../exchange/call.ts";
import { isHeaderValue } from "../exchange/header-text.ts";
import type { Answer } from "../exchange/answer.ts";
import { entityTag, isOfOneState } from "../versions/entity-tag.ts";
import { idOf, type ResourceTarget } from "../versions/version-memory.ts";
import type { ChangeOptions } from "./options.ts";
import { isResource, pathOf, resourceOf, type ResourceParts } from "./parts.ts";
import { read } from "./reading.ts";
import type { DynamicResource } from "./shape.ts";

/** A change, before it is sent. */
export interface Change {
  readonly method: "PUT" | "PATCH" | "DELETE";
  readonly target: ResourceTarget;
  readonly body: string | null;
  readonly options: ChangeOptions;
}

/** Puts another state in the place of a resource; where the service does not answer with it, it is read. */
export async function replace(
  parts: ResourceParts,
  target: ResourceTarget,
  { input, options = {} }: { readonly input: object; readonly options?: ChangeOptions | undefined },
): Promise<DynamicResource> {
  const body = bodyText(parts.writeBody(input));
  const answer = await parts.engine.send(callOf(parts, { method: "PUT", target, body, options }));
  if (hasResource(answer)) return resourceOf(parts, answer, idOf(target));
  const { version: _version, ...call } = options;
  return read(parts, idOf(target), { ...call, fresh: true });
}

/** Changes parts of a resource; null where the service answers without it. */
export async function patch(
  parts: ResourceParts,
  target: ResourceTarget,
  {
    operations,
    options = {},
  }: { readonly operations: readonly PatchOperation[]; readonly options?: ChangeOptions | undefined },
): Promise<DynamicResource | null> {
  const body = bodyText(patchOp(operations));
  const answer = await parts.engine.send(callOf(parts, { method: "PATCH", target, body, options }));
  return hasResource(answer) ? resourceOf(parts, answer, idOf(target)) : null;
}

/** Deletes a resource. */
export async function remove(
  parts: ResourceParts,
  target: ResourceTarget,
  options: ChangeOptions = {},
): Promise<void> {
  await parts.engine.send(callOf(parts, { method: "DELETE", target, body: null, options }));
}

/** The request of a change. */
export function callOf(parts: ResourceParts, { method, target, body, options }: Change): Call {
  const tag = tagFor(parts, target, options);
  return {
    method,
    path: pathOf(parts, idOf(target)),
    body,
    headers: { ...options.headers, ...(tag === null ? {} : { "if-match": tag }) },
    // A version lets a PATCH through once; without one, its operations may add up.
    repetition: method === "PATCH" && !isOfOneState(tag) ? "more" : "same",
    signal: options.signal,
    timeout: options.timeout,
  };
}

/**
 * The entity tag that a change is made on; null for none.
 * @throws {@link UsageError} `invalidOption` for a version that no header can hold
 */
export function tagFor(
  { memory }: Pick<ResourceParts, "memory">,
  target: ResourceTarget,
  { version }: Pick<ChangeOptions, "version">,
): string | null {
  const tag = version === undefined ? memory.tagOf(target) : version === null ? null : entityTag(version);
  if (tag === null || isHeaderValue(tag)) return tag;
  throw new UsageError(
    "invalidOption",
    "The version of the resource holds what no header can (RFC 9110 §5.5): give another by 'version', or null to change without one.",
  );
}

function hasResource({ status, body }: Answer): boolean {
  return status !== 204 && isResource(body);
}
