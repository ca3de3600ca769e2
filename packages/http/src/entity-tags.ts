/**
 * Entity tags and the headers that carry them (RFC 9110 §8.8.3, §13.1; RFC 7644 §3.14).
 * @module
 */
import type { Precondition, VersionCondition } from "@scim/core";
import { ScimError } from "@scim/schemas";
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

/** `W/"x"`, `"x"`, or, as many clients send it, `x`; then a comma or the end. */
const TAG =
  /[ \t]*(?:(?:W\/)?"(?<quoted>[\u0021\u0023-\u007e\u0080-\u00ff]*)"|(?<bare>[A-Za-z0-9._~+=-]+))[ \t]*(?:,|$)/y;
const EMPTY_ELEMENT = /[ \t]*,/y;

/**
 * The raw versions of a conditional header: `*`, one entity tag or a list.
 * @throws ScimError `invalidSyntax`
 *
 * @example
 * parseEntityTags("If-Match", 'W/"a", "b", c'); // ["a", "b", "c"]
 */
export function parseEntityTags(header: string, value: string): VersionCondition {
  const list = value.trim();
  if (list === "*") return "*";
  const versions: string[] = [];
  let offset = 0;
  while (offset < list.length) {
    EMPTY_ELEMENT.lastIndex = offset;
    if (EMPTY_ELEMENT.test(list)) {
      offset = EMPTY_ELEMENT.lastIndex;
      continue;
    }
    TAG.lastIndex = offset;
    const groups = TAG.exec(list)?.groups;
    if (groups === undefined) throw malformed(header);
    versions.push(groups["quoted"] ?? groups["bare"] ?? "");
    offset = TAG.lastIndex;
  }
  if (versions.length === 0) throw malformed(header);
  return versions;
}

function malformed(header: string): ScimError {
  return new ScimError(
    "invalidSyntax",
    `${header} must be *, an entity tag such as W/"x", or a list of them.`,
  );
}
