/**
 * The resource that a caller is (RFC 7644 §3.11).
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { ServedType } from "../service.ts";
import { servedTypes } from "./served-type.ts";

/** The resource that a caller is. */
export interface OwnResource {
  readonly type: ServedType;
  readonly id: string;
}

/**
 * Tells who calls.
 * @throws ScimError `notImplemented` where `/Me` is switched off or its type is not served, `notFound` for a caller without
 *   subject
 */
export function identify({ limits, registry }: Environment, { subject }: RequestContext): OwnResource {
  const type = servedTypes(registry).find(({ name }) => name === limits.me);
  if (type === undefined) {
    throw new ScimError("notImplemented", "/Me is not offered; use the address of the resource.");
  }
  if (subject === null) {
    throw new ScimError(
      "notFound",
      "The credentials belong to no resource, so there is none at /Me. A token is given one by its 'subject', the id of the resource, when it is made.",
    );
  }
  return { type, id: subject };
}
