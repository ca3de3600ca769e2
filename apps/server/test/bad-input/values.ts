/**
 * Values that do not fit their attribute.
 * @module
 */
import type { JsonValue } from "@scim/schemas";
import { accepted, always, postUser, refused, TEST, type BadInput } from "./row.ts";

type WrongType = readonly [attribute: string, type: string, value: JsonValue, remedy: RegExp];

/** One row and more for every attribute type of RFC 7643 §2.3. */
const WRONG_TYPES: readonly WrongType[] = [
  ["code", "string", 5, /must be a string/],
  ["code", "string", { text: "x" }, /must be a string/],
  ["code", "string", true, /must be a string/],
  ["flag", "boolean", "yes", /must be true or false/],
  ["flag", "boolean", 1, /must be true or false/],
  ["age", "integer", "4x", /must be a whole number/],
  ["age", "integer", "", /must be a whole number/],
  ["age", "integer", 1.5, /must be a whole number/],
  ["score", "decimal", "1,5", /must be a number/],
  ["joined", "dateTime", 1_577_836_800, /must be a/],
  ["joined", "dateTime", "yesterday", /date and time such as/],
  ["joined", "dateTime", "2020-01-01", /date and time such as/],
  ["joined", "dateTime", "2020-02-30T00:00:00Z", /date and time such as/],
  ["joined", "dateTime", "2020-01-01T25:00:00Z", /date and time such as/],
  ["blob", "binary", 7, /must be a/],
  ["blob", "binary", "not base64!", /Base64/],
  ["blob", "binary", "QUJD*", /Base64/],
  ["link", "reference", 7, /must be a/],
  ["profile", "complex", "text", /must be an object/],
  ["profile", "complex", 7, /must be an object/],
  ["tags", "list of strings", [1], /must be a string/],
  ["items", "list of objects", [7], /must be an object/],
];

/** Two spellings of one name: composed, and with combining marks. */
const COMPOSED = "ren\u00e9e";
const DECOMPOSED = "rene\u0301e";
const FULL_WIDTH = "\uff52\uff45\uff4e";

export const VALUES: readonly BadInput[] = [
  ...WRONG_TYPES.map(([attribute, type, value, remedy]) =>
    always(
      `${JSON.stringify(value)} for a ${type}`,
      refused(400, "invalidValue", new RegExp(`${TEST}:${attribute}`.replaceAll(".", "\\.")), remedy),
      postUser(() => ({ [TEST]: { [attribute]: value } })),
    ),
  ),
  {
    title: "the text True for a boolean",
    send: postUser(() => ({ active: "True" })),
    strict: refused(400, "invalidValue", /active/, /true or false/),
    tolerant: accepted(201, ["string-booleans"], { holds: { active: true } }),
  },
  {
    title: "the text 42 for an integer, and 1.5 for a decimal",
    send: postUser(() => ({ [TEST]: { age: "42", score: "1.5" } })),
    strict: refused(400, "invalidValue", /age/, /must be a whole number/),
    tolerant: accepted(201, ["string-numbers"], {
      holds: { [TEST]: { age: 42, score: 1.5 } },
    }),
  },
  {
    title: "an array round a single value",
    send: postUser(() => ({ nickName: ["Nick"] })),
    strict: refused(400, "invalidValue", /nickName/, /must be a string/),
    tolerant: accepted(201, ["single-element-array"], { holds: { nickName: "Nick" } }),
  },
  {
    title: "a manager as plain text",
    send: postUser(() => ({
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { manager: "m1" },
    })),
    strict: refused(400, "invalidValue", /manager/, /must be an object/),
    tolerant: accepted(201, ["reference-as-string"], {
      holds: { "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { manager: { value: "m1" } } },
    }),
  },
  {
    title: "a value outside of canonicalValues",
    send: postUser(() => ({ emails: [{ value: "n@example.com", type: "secret" }] })),
    strict: refused(400, "invalidValue", /emails.*type/, /work, home, other/),
    tolerant: accepted(201, ["non-canonical-values"], {
      holds: { emails: [{ value: "n@example.com", type: "secret" }] },
    }),
  },
  always(
    "a certificate that is no Base64",
    refused(400, "invalidValue", /x509Certificates\[0\]\.value/, /Base64/),
    postUser(() => ({ x509Certificates: [{ value: "%%%" }] })),
  ),
  always(
    "two primary values",
    refused(400, "invalidValue", /emails/, /primary/),
    postUser(() => ({
      emails: [
        { value: "a@example.com", primary: true },
        { value: "b@example.com", primary: true },
      ],
    })),
  ),
  {
    title: "two primary values, the second empty",
    send: postUser(() => ({
      emails: [
        { value: "a@example.com", primary: true },
        { value: "", primary: true },
      ],
    })),
    strict: refused(400, "invalidValue", /emails/, /primary/),
    tolerant: accepted(201, ["empty-second-primary"], {
      holds: { emails: [{ value: "a@example.com", primary: true }] },
    }),
  },
  always(
    "userName of another user in other letter case",
    refused(409, "uniqueness", /userName/),
    postUser(({ unique }) => ({ userName: `USER-${unique.toUpperCase()}` })),
  ),
  always(
    "userName of another user in another Unicode form",
    refused(409, "uniqueness", /userName/),
    async (world) => {
      await world.client.user({ userName: `${COMPOSED}-${world.unique}` });
      return postUser(() => ({ userName: `${DECOMPOSED}-${world.unique}` }))(world);
    },
  ),
  always("userName of another user in full width", refused(409, "uniqueness", /userName/), async (world) => {
    await world.client.user({ userName: `ren-${world.unique}` });
    return postUser(() => ({ userName: `${FULL_WIDTH}-${world.unique}` }))(world);
  }),
  always("a member without value", refused(400, "invalidValue", /members\[1\]/, /value/), (world) =>
    world.client.call("POST", "/Groups", {
      body: {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
        displayName: `group-${world.unique}`,
        members: [{ value: world.user.id }, { display: "Nobody" }],
      },
    }),
  ),
  always(
    "a member of a type that members cannot have",
    refused(400, "invalidValue", /members/, /User.*Group/),
    (world) =>
      world.client.call("POST", "/Groups", {
        body: {
          schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
          displayName: `group-${world.unique}`,
          members: [{ value: world.user.id, type: "Printer" }],
        },
      }),
  ),
  always("a member whose value is no identifier", refused(400, "invalidValue", /members\[0\]/), (world) =>
    world.client.call("POST", "/Groups", {
      body: {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
        displayName: `group-${world.unique}`,
        members: [{ value: "../Users/1" }],
      },
    }),
  ),
];
