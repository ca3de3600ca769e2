/**
 * Entity tags as text (RFC 9110 §8.8.3): what If-Match and the `version` of a bulk operation hold.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { VersionCondition } from "./precondition.ts";

/** `W/"x"`, `"x"`, or, as many clients send it, `x`; then a comma or the end. */
const TAG =
  /[ \t]*(?:(?:W\/)?"(?<quoted>[\u0021\u0023-\u007e\u0080-\u00ff]*)"|(?<bare>[A-Za-z0-9._~+=-]+))[ \t]*(?:,|$)/y;
const EMPTY_ELEMENT = /[ \t]*,/y;

/**
 * The raw versions of a condition: `*`, one entity tag or a list. `place` names where it stands, for messages.
 * @throws ScimError `invalidSyntax`
 *
 * @example
 * parseEntityTags("If-Match", 'W/"a", "b", c'); // ["a", "b", "c"]
 */
export function parseEntityTags(place: string, text: string): VersionCondition {
  const list = text.trim();
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
    if (groups === undefined) throw malformed(place);
    versions.push(groups["quoted"] ?? groups["bare"] ?? "");
    offset = TAG.lastIndex;
  }
  if (versions.length === 0) throw malformed(place);
  return versions;
}

function malformed(place: string): ScimError {
  return new ScimError(
    "invalidSyntax",
    `${place} must be *, an entity tag such as W/"x", or a list of them.`,
  );
}
