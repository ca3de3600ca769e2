/**
 * Values of persons where no message has a place for them: whoever writes a client makes mistakes.
 * @module
 */
import { createModelCatalog } from "@scim/core";
import {
  createDefaultRegistry,
  defineSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { expect, test } from "vitest";
import { createRequestLog, type LoggedRequest } from "../src/index.ts";
import { SAMPLE_KEYS } from "../src/testing/index.ts";

const MESSAGE = "urn:ietf:params:scim:api:messages:2.0:";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const MEMBER = "urn:example:params:scim:schemas:core:2.0:Member";

function memberCatalog() {
  const registry = createDefaultRegistry();
  registry.addSchema(
    defineSchema({
      id: MEMBER,
      name: "Member",
      description: "A member.",
      attributes: [
        { name: "union", type: "boolean" },
        { name: "disability", type: "boolean" },
        { name: "active", type: "boolean" },
        { name: "grade", type: "integer" },
        { name: "salary", type: "decimal", multiValued: true },
        { name: "floor", type: "integer" },
      ],
    }),
  );
  registry.addResourceType({
    name: "Member",
    endpoint: "/Members",
    schema: MEMBER,
    annotations: {
      union: { sensitivity: "personal" },
      disability: { sensitivity: "secret" },
      grade: { sensitivity: "secret" },
      floor: { sensitivity: "none" },
    },
  });
  return createModelCatalog(registry);
}

/** What the log keeps of a request. */
function logged(method: string, target: string, value: JsonValue = null): Promise<LoggedRequest> {
  return loggedExchange({ method, target, value, answer: null });
}

/** The detail that the log shows of an error. */
async function loggedDetail(detail: string): Promise<string> {
  const error = { schemas: [`${MESSAGE}Error`], detail };
  const { answer } = await loggedExchange({ method: "GET", target: "/Users", value: null, answer: error });
  const json = answer?.json ?? null;
  return isJsonObject(json) ? String(json["detail"]) : "";
}

interface Exchanged {
  readonly method: string;
  readonly target: string;
  readonly value: JsonValue;
  readonly answer: JsonObject | null;
}

async function loggedExchange({ method, target, value, answer }: Exchanged): Promise<LoggedRequest> {
  const entries: LoggedRequest[] = [];
  const log = createRequestLog({
    ...SAMPLE_KEYS,
    store: { add: async (batch) => void entries.push(...batch.entries) },
    catalog: memberCatalog(),
    newId: () => "id",
    now: () => 1_700_000_000_000,
    pause: async () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  log.onExchange({
    record: {
      requestId: "r-1",
      method,
      route: "/Users",
      status: 400,
      durationMs: 1,
      tenant: "acme",
      connection: "entra",
      credential: null,
      switches: [],
      failedOperations: [],
      errorCode: null,
    },
    target,
    headers: {},
    body: value === null ? null : { value, bytes: 1, isPart: false },
    answer: answer === null ? null : JSON.stringify(answer),
    location: null,
  });
  await log.flush();
  const [entry] = entries;
  if (entry === undefined) throw new TypeError("nothing was logged");
  return entry;
}

/** What tells of a person: a name, a number to call, a birthday. */
const TEXTS = ["Wilhelmina Quokka", "5550147123", "1983-07-14T00:00:00Z"];
const VALUES: readonly JsonValue[] = [
  ...TEXTS,
  5_550_147_123,
  ["Wilhelmina Quokka", "5550147123"],
  { text: "Wilhelmina Quokka", phone: 5_550_147_123 },
];
const TRACE = /quokka|5550147123|1983-07/i;

type Place = readonly [place: string, method: string, target: string, body: (value: JsonValue) => JsonObject];

const bulk = (operation: JsonObject): JsonObject => ({
  schemas: [`${MESSAGE}BulkRequest`],
  Operations: [operation],
});

const PLACES: readonly Place[] = [
  ...["Error", "ListResponse", "BulkResponse"].map((message): Place => [
    `a resource that says it is the answer ${message}`,
    "POST",
    "/Users",
    (value) => ({ schemas: [MESSAGE + message], detail: value, Operations: [value], nickName: value }),
  ]),
  ["a resource in the place of a PATCH", "PATCH", "/Users/u1", (nickName) => ({ schemas: [USER], nickName })],
  ["a PATCH, beside its operations", "PATCH", "/Users/u1", (value) => ({ Operations: [], phone: value })],
  [
    "a bulk job, beside its operations",
    "POST",
    "/Bulk",
    (value) => ({ ...bulk({ method: "DELETE", path: "/Users/u1" }), nickName: value }),
  ],
  ...["data", "response"].map((member): Place => [
    `the ${member} of a bulk operation that says it is an error`,
    "POST",
    "/Bulk",
    (value) =>
      bulk({ method: "POST", path: "/Users", [member]: { schemas: [`${MESSAGE}Error`], detail: value } }),
  ]),
  ...["status", "location", "nickName"].map((member): Place => [
    `the ${member} of a bulk operation`,
    "POST",
    "/Bulk",
    (value) => bulk({ method: "POST", path: "/Users", [member]: value }),
  ]),
  [
    "a resource in the place of a PATCH of a bulk job",
    "POST",
    "/Bulk",
    (nickName) => bulk({ method: "patch", path: "/Users/u1", data: { nickName } }),
  ],
  [
    "the filter of a search",
    "POST",
    "/Users/.search",
    (filter) => ({ schemas: [`${MESSAGE}SearchRequest`], filter }),
  ],
  ["a boolean", "POST", "/Users", (active) => ({ schemas: [USER], active })],
];

test.each(PLACES)("nothing of a person is shown in the place of %s", async (_place, method, target, body) => {
  for (const value of VALUES) {
    const entry = await logged(method, target, body(value));
    expect(entry.body?.json).not.toBeNull();
    expect(JSON.stringify(entry)).not.toMatch(TRACE);
  }
});

test.each(TEXTS)("nothing of a person is shown as a parameter that means nothing: %s", async (text) => {
  const { target } = await logged("GET", `/Users?count=10&phone=${encodeURIComponent(text)}&${text}=1`);
  expect(target).toMatch(/^\/Users\?count=10&phone=~/);
  expect(target).not.toMatch(/5550147123=|1983-07/);
});

test("a boolean that is annotated to tell of a person is shown as false, and any other as it is", async () => {
  const sent = { schemas: [MEMBER], union: true, disability: true, active: true, unknown: true };
  const { body } = await logged("POST", "/Members", sent);
  expect(body?.json).toEqual({ ...sent, union: false, disability: false });
  const filter = encodeURIComponent("union eq true and disability eq true and active eq true");
  const { target } = await logged("GET", `/Members?filter=${filter}`);
  expect(decodeURIComponent(target)).toBe(
    "/Members?filter=union eq false and disability eq false and active eq true",
  );
});

test("a text that a switch reads as a number or a boolean is shown as one that it reads too", async () => {
  const sent = {
    union: "True",
    disability: "FALSE",
    active: "True",
    grade: "42",
    salary: ["1e5", "-7.5"],
    floor: "3",
  };
  const { body } = await logged("POST", "/Members", { schemas: [MEMBER], ...sent });
  expect(body?.json).toEqual({
    schemas: [MEMBER],
    union: "false",
    disability: "false",
    active: "True",
    grade: "0",
    salary: ["0", "0"],
    floor: "3",
  });
  const none = { union: "yes", disability: "yes", grade: "4.2", salary: ["1,5"] };
  const unread = await logged("POST", "/Members", none);
  expect(unread.body?.json).toEqual({
    union: expect.stringMatching(/^~/),
    disability: "~withheld",
    grade: "~withheld",
    salary: [expect.stringMatching(/^~/)],
  });
});

test.each([
  ['password eq "Quokka-1', "password eq ~withheld"],
  ["password == Quokka-1", "password ~withheld ~withheld"],
  ['userName eq "ann" password eq Quokka-1', "userName eq ~withheld password eq ~withheld"],
])("a filter that cannot be read shows no hash of what may be a secret: %s", async (filter, shows) => {
  const { target } = await logged("GET", `/Users?filter=${encodeURIComponent(filter)}`);
  expect(decodeURIComponent(target)).toBe(`/Users?filter=${shows}`);
});

test("a PATCH path that cannot be read shows no hash of what may be a secret", async () => {
  const { body } = await logged("PATCH", "/Users/u1", {
    Operations: [{ op: "replace", path: "password[value eq 'Quokka-1", value: "x" }],
  });
  expect(body?.json).toEqual({
    Operations: [{ op: "replace", path: "password[value eq ~withheld", value: "~withheld" }],
  });
});

const UNKNOWN = "is unknown to resource type User: leave it out, or add its schema.";

test.each([
  "Miles O'Brien",
  "O'Brien",
  "Anna 'Annie' Smith",
  "Smiths' Anna",
  "the 'Smiths'",
  "e.d'Anna",
  "'",
  "a b",
])("a name that a client gave is no more in clear where it holds quotation marks: %s", async (name) => {
  const shown = await loggedDetail(`Operations[0]: Attribute '${name}' ${UNKNOWN}`);
  const pseudonym = /~[\w-]{22}/.exec(shown)?.[0];
  expect(shown).toBe(`Operations[0]: Attribute '${pseudonym ?? "none"}' ${UNKNOWN}`);
});

test.each([
  "Path 'emails[…].type' selects values of 'emails', which holds only one: leave the brackets out.",
  "There is no attribute 'title': check its name, and put the URN before an extension's attribute.",
  "'sortBy' must be 'owner', or 'value' beside a filter that names one: Row has no other order.",
  "The token lacks the scope 'scim:write'. It has 'scim:read:User', 'scim:bulk'.",
  "The body is not valid JSON: expected a member name in double quotes or '}' at line 1, column 2.",
  "members[0].value must be a resource id: 1 to 128 letters, digits, '-', '.', '_' or '~'.",
])("what the service says with names of attributes, or marks, alone stays: %s", async (detail) => {
  expect(await loggedDetail(detail)).toBe(detail);
});

const CORE = "urn:ietf:params:scim:schemas:core:2.0:User";

test.each([
  "urn:x'quokka:y",
  "urn:x:quokka@example.com:y",
  "urn:x:555%200147;quokka:y.value",
  "mailto:quokka@example.com:y",
  `${CORE}:quokka'5550147123:y`,
])("a URN that is none of a schema shows nothing of a person in a filter and in a path: %s", async (urn) => {
  const filter = `${urn} pr or not (${urn} eq "5550147123") and emails[type eq "work"] pr`;
  const { target } = await logged("GET", `/Users?filter=${encodeURIComponent(filter)}`);
  const shown = decodeURIComponent(target).replaceAll(/~[\w-]{22}(?:@example\.invalid)?/g, "~");
  expect(shown).toBe(`/Users?filter=~ pr or not (~ eq "~") and emails[type eq "work"] pr`);
  const { body } = await logged("PATCH", "/Users/u1", {
    Operations: [
      { op: "remove", path: urn },
      { op: "replace", value: { [urn]: "a" } },
    ],
  });
  expect(JSON.stringify(body)).not.toMatch(TRACE);
});

test.each([
  `${CORE}:emails[type eq "work"].value`,
  "urn:example:params:scim:schemas:extension:acme:1.0:User:costs.place",
  "emails[primary eq true].$ref",
])("a path of names alone stays as it was sent: %s", async (path) => {
  const { body } = await logged("PATCH", "/Users/u1", { Operations: [{ op: "remove", path }] });
  expect(body?.json).toEqual({ Operations: [{ op: "remove", path }] });
});
