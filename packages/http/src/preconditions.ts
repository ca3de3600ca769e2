/**
 * The headers that carry entity tags (RFC 9110 §13.1; RFC 7644 §3.14).
 * @module
 */
import { parseEntityTags, type Precondition } from "@scim/core";
import { headerOf, type HttpRequest } from "./message.ts";

/** No conditions at all. */
const UNCONDITIONAL: Precondition = { ifMatch: null, ifNoneMatch: null };

/**
 * The conditions that a request states.
 * @throws ScimError `invalidSyntax` where a header is malformed
 */
export function preconditionOf(request: Pick<HttpRequest, "headers">): Precondition {
  const ifMatch = headerOf(request, "if-match");
  const ifNoneMatch = headerOf(request, "if-none-match");
  if (ifMatch === undefined && ifNoneMatch === undefined) return UNCONDITIONAL;
  return {
    ifMatch: ifMatch === undefined ? null : parseEntityTags("If-Match", ifMatch),
    ifNoneMatch: ifNoneMatch === undefined ? null : parseEntityTags("If-None-Match", ifNoneMatch),
  };
}
