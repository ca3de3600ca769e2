/**
 * What all identity providers ask of answers, and messages that they all send.
 * @module
 */
import { LIST_RESPONSE_URN, PATCH_OP_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import type { Check, PathSegment } from "../scenario.ts";

/** A PATCH message. */
export function patch(...operations: readonly JsonObject[]): JsonObject {
  return { schemas: [PATCH_OP_URN], Operations: operations };
}

/** What a list must look like for anybody to read it. */
export const LIST: readonly Check[] = [
  {
    at: ["totalResults"],
    is: "number",
    fault: "totalResults is no number",
    means: "The list is read as empty, or not at all, mostly without a word.",
    mend: "Send totalResults as a JSON number, without quotes (RFC 7644 §3.4.2).",
  },
  {
    at: ["schemas", 0],
    is: "equal",
    expected: LIST_RESPONSE_URN,
    fault: "the answer to a query is no ListResponse",
    means: "The answer is taken for something else, and the service for one that is not SCIM 2.0.",
    mend: `Answer every query with a message whose schemas is ["${LIST_RESPONSE_URN}"], also where one resource matches.`,
  },
  {
    at: ["Resources"],
    is: "listOrAbsent",
    fault: "Resources is no list",
    means: "The list cannot be read.",
    mend: "Send Resources as an array, [] where there is none.",
  },
];

/** The same of a page. */
export const PAGE: readonly Check[] = [
  ...LIST,
  ...["startIndex", "itemsPerPage"].map((name): Check => ({
    at: [name],
    is: "number",
    fault: `${name} is no number`,
    means: "An import stops after the first page, without a word.",
    mend: `Send ${name} as a JSON number, without quotes (RFC 7644 §3.4.2.4).`,
  })),
  {
    at: ["Resources"],
    is: "list",
    fault: "Resources is missing",
    means: "A list without Resources is taken for a broken answer.",
    mend: 'Send "Resources": [] also where nothing matches.',
  },
];

/** How many a list must hold. */
export function total(count: number, means: string): Check {
  return {
    at: ["totalResults"],
    is: "equal",
    expected: count,
    fault: count === 0 ? "finds what is not there" : "does not find what is there, or finds several",
    means,
    mend: "Compare userName and displayName without regard to letter case, and count what matches alone (RFC 7643 §2.2).",
  };
}

/** What the first of a list must be. */
export function first(name: string): Check {
  return {
    at: ["Resources", 0, "id"],
    // That nothing is found is told already.
    is: "equalOrAbsent",
    expected: `{${name}.id}`,
    fault: "finds another resource",
    means: "The identity provider changes somebody else's account.",
    mend: "Let the filter decide what is listed.",
  };
}

/** What the answer to a creation must hold. */
export const CREATED: readonly Check[] = [
  {
    at: ["id"],
    is: "present",
    fault: "the answer to the creation has no id",
    means: "The identity provider does not know what it made: it tries again, and meets 409 for ever.",
    mend: "Answer 201 with the whole resource, id and all (RFC 7644 §3.3).",
  },
  {
    at: ["meta", "location"],
    is: "present",
    weight: "hinders",
    fault: "what was made has no meta.location",
    means: "Clients that follow it cannot find what they made.",
    mend: "Send the address in meta.location and in Location.",
  },
];

/** What a refusal must look like. */
export function errorOf(status: number): Check {
  return {
    at: ["status"],
    is: "equal",
    expected: String(status),
    weight: "hinders",
    fault: "the refusal is no SCIM Error",
    means: "Administrators see no reason in the provisioning log.",
    mend: `Answer errors with schemas, "status": "${status}" as a string, and a detail (RFC 7644 §3.12).`,
  };
}

/** A value that must be there afterwards. */
export function value(at: readonly PathSegment[], expected: JsonValue, more: Partial<Check> = {}): Check {
  return {
    at,
    is: "equal",
    expected,
    fault: `${shownPath(at)} is not what was sent`,
    means: "The identity provider takes the change for made, and the account stays wrong until a full cycle.",
    mend: "Carry the operation out, or refuse it: an answer of 200 or 204 says that it was done.",
    ...more,
  };
}

function shownPath(at: readonly PathSegment[]): string {
  return at.map((segment) => (typeof segment === "object" ? JSON.stringify(segment) : segment)).join(" ");
}

/** A value that must not be there afterwards. */
export function none(at: readonly PathSegment[], more: Partial<Check> = {}): Check {
  return value(at, null, { is: "absent", fault: `${shownPath(at)} is still there`, ...more });
}

/** Whether a user is active. */
export function active(expected: boolean): Check {
  return value(["active"], expected, {
    fault: expected ? "the user is still inactive" : "the user is still active",
    means: expected
      ? "Somebody who came back cannot work."
      : "Somebody who has left keeps the account, and the identity provider believes otherwise.",
    mend: "Set active as it was sent, true and false, or the texts of these in any letter case, and store a boolean.",
  });
}

/** Which members a group must have, by the names under which they were made. */
export function members(...names: readonly string[]): Check {
  return value(
    ["members"],
    names.map((name) => `{${name}.id}`),
    {
      is: "values",
      fault: "the group has not the members that it should have",
      means: "People have access that they should not have, or lack what they should.",
      mend: "Add and remove the values that are named, each once, and leave the others.",
    },
  );
}
