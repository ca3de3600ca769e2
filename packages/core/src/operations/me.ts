/**
 * The resource that a caller is (RFC 7644 §3.11).
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { Identity } from "../service.ts";

/** Tells who calls. */
export function identify(environment: Environment, context: RequestContext): Identity {
  const { me } = environment.limits;
  if (me === null || environment.registry.resourceType(me) === undefined) {
    throw new ScimError("notImplemented", "/Me is not offered; use the address of the resource.");
  }
  if (context.subject === null) {
    throw new ScimError("notFound", "The credentials belong to no resource, so there is none at /Me.");
  }
  return { type: me, id: context.subject };
}
