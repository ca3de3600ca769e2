import {
  ENTERPRISE_USER_URN,
  isJsonObject,
  PATCH_OP_URN,
  USER_URN,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createProfile, PROFILES, SWITCHES, type SwitchName } from "../../src/index.ts";
import { patchBody, type TestClient } from "../support/client.ts";
import { enterprise, group, ownValues, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { PLAIN, testService } from "../support/service.ts";
import { bindTestExtension, extended, TEST_URN } from "../support/test-extension.ts";

interface Row {
  /** A request that needs the switch; what it resolves to is compared with `meant`. */
  readonly request: (client: TestClient) => Promise<unknown>;
  /** Where the switch is on. */
  readonly meant: unknown;
  /** What is reported. */
  readonly fired: readonly string[];
  /** Where it is off: status and scimType. */
  readonly refused: string;
}

const USER = "id-1";
const GROUP = "id-2";
const work = { value: "b@x.example", type: "work" };
/** The values of the User and the Group that every row starts with. */
const START_USER = { userName: "bjensen", emails: [work], ...enterprise({ department: "Tours" }) };
const MANAGER = `${ENTERPRISE_USER_URN}:manager`;
const START_MEMBERS = [{ value: "u1" }, { value: "u2" }];

function posted(body: JsonObject): Row["request"] {
  return async (client) => {
    const { resource } = await client.post("User", user({ userName: "new", ...body }));
    return ownValues(resource);
  };
}

function patched(operation: JsonObject, name: string): Row["request"] {
  return async (client) => (await client.patched("User", USER, [operation]))[name];
}

/** The manager after an operation on a User whose manager is m1. */
function managed(operation: JsonObject): Row["request"] {
  return async (client) => {
    const operations = [{ op: "add", path: MANAGER, value: { value: "m1" } }, operation];
    const after = (await client.patched("User", USER, operations))[ENTERPRISE_USER_URN];
    return isJsonObject(after) && isJsonObject(after["manager"]) ? after["manager"]["value"] : undefined;
  };
}

function matched(filter: string): Row["request"] {
  return (client) => client.matches("User", filter);
}

/** By switch; those that another test has stand below. */
const ROWS: Readonly<Partial<Record<SwitchName, Readonly<Record<string, Row>>>>> = {
  "string-booleans": {
    POST: {
      request: posted({ active: "True" }),
      meant: { userName: "new", active: true },
      fired: ["string-booleans active"],
      refused: "400 invalidValue",
    },
    "POST, in a value": {
      request: posted({ emails: { value: "a", primary: "FALSE" } }),
      meant: { userName: "new", emails: [{ value: "a", primary: false }] },
      fired: ["string-booleans emails.primary"],
      refused: "400 invalidValue",
    },
    PATCH: {
      request: patched({ op: "replace", path: "active", value: "false" }, "active"),
      meant: false,
      fired: ["string-booleans active"],
      refused: "400 invalidValue",
    },
    "a PATCH path": {
      request: patched({ op: "remove", path: 'emails[primary eq "True"]' }, "emails"),
      meant: [work],
      fired: ["string-booleans emails"],
      refused: "400 invalidFilter",
    },
    "a filter": {
      request: matched('active eq "False"'),
      meant: [],
      fired: ["string-booleans filter"],
      refused: "400 invalidFilter",
    },
  },
  "string-numbers": {
    POST: {
      request: posted(extended({ age: "42", score: "-1.5e2", nums: ["1", 2] })),
      meant: { userName: "new", ...extended({ age: 42, score: -150, nums: [1, 2] }) },
      fired: ["age", "score", "nums"].map((name) => `string-numbers ${TEST_URN}:${name}`),
      refused: "400 invalidValue",
    },
    "PATCH, as SCIM-SDK sends it": {
      request: patched({ op: "add", path: `${TEST_URN}:age`, value: "42" }, TEST_URN),
      meant: { age: 42 },
      fired: [`string-numbers ${TEST_URN}:age`],
      refused: "400 invalidValue",
    },
    "PATCH, in a value": {
      request: patched({ op: "add", path: `${TEST_URN}:items`, value: { qty: "0" } }, TEST_URN),
      meant: { items: [{ qty: 0 }] },
      fired: [`string-numbers ${TEST_URN}:items.qty`],
      refused: "400 invalidValue",
    },
  },
  "single-element-array": {
    POST: {
      request: posted({ nickName: ["Babs"], name: [{ givenName: ["B"] }] }),
      meant: { userName: "new", nickName: "Babs", name: { givenName: "B" } },
      fired: [
        "single-element-array nickName",
        "single-element-array name",
        "single-element-array name.givenName",
      ],
      refused: "400 invalidValue",
    },
    "in a value of a list": {
      request: posted({ emails: [{ value: ["a"] }] }),
      meant: { userName: "new", emails: [{ value: "a" }] },
      fired: ["single-element-array emails.value"],
      refused: "400 invalidValue",
    },
    PATCH: {
      request: patched({ op: "replace", path: "title", value: ["Guide"] }, "title"),
      meant: "Guide",
      fired: ["single-element-array title"],
      refused: "400 invalidValue",
    },
    "PATCH without a path": {
      request: patched({ op: "add", value: [{ title: "Guide" }] }, "title"),
      meant: "Guide",
      fired: ["single-element-array Operations"],
      refused: "400 invalidValue",
    },
    "PATCH of an extension": {
      request: patched(
        { op: "replace", path: ENTERPRISE_USER_URN, value: [{ division: "North" }] },
        ENTERPRISE_USER_URN,
      ),
      meant: { department: "Tours", division: "North" },
      fired: [`single-element-array ${ENTERPRISE_USER_URN}`],
      refused: "400 invalidValue",
    },
    "PATCH of selected values": {
      request: patched({ op: "replace", path: 'emails[type eq "work"]', value: [{ value: "c" }] }, "emails"),
      meant: [{ value: "c" }],
      fired: ["single-element-array emails"],
      refused: "400 invalidValue",
    },
    "PATCH of selected values, in a key": {
      request: patched({ op: "add", value: { 'emails[type eq "work"]': [{ display: "Desk" }] } }, "emails"),
      meant: [{ ...work, display: "Desk" }],
      fired: ["single-element-array emails"],
      refused: "400 invalidValue",
    },
    "PATCH of a value that is not there yet": {
      request: patched({ op: "add", path: 'emails[type eq "home"]', value: [{ value: "h" }] }, "emails"),
      meant: [work, { type: "home", value: "h" }],
      fired: ["single-element-array emails"],
      refused: "400 invalidValue",
    },
  },
  "reference-as-string": {
    POST: {
      request: async (client) =>
        (await client.post("User", user({ userName: "new", ...enterprise({ manager: "m1" }) }))).resource[
          ENTERPRISE_USER_URN
        ],
      meant: { manager: { value: "m1", $ref: "https://scim.example/scim/v2/Users/m1" } },
      fired: [`reference-as-string ${ENTERPRISE_USER_URN}:manager`],
      refused: "400 invalidValue",
    },
    PATCH: {
      request: patched(
        { op: "add", path: `${ENTERPRISE_USER_URN}:manager`, value: "m1" },
        ENTERPRISE_USER_URN,
      ),
      meant: { department: "Tours", manager: { value: "m1", $ref: "https://scim.example/scim/v2/Users/m1" } },
      fired: [`reference-as-string ${ENTERPRISE_USER_URN}:manager`],
      refused: "400 invalidValue",
    },
    'PATCH to ""': {
      request: patched(
        { op: "replace", path: `${ENTERPRISE_USER_URN}:manager`, value: "" },
        ENTERPRISE_USER_URN,
      ),
      meant: { department: "Tours" },
      fired: [`reference-as-string ${ENTERPRISE_USER_URN}:manager`],
      refused: "400 invalidValue",
    },
    "a filter": {
      request: matched(`${ENTERPRISE_USER_URN}:manager eq "m1"`),
      meant: [],
      fired: [`reference-as-string ${ENTERPRISE_USER_URN}:manager`],
      refused: "400 invalidFilter",
    },
  },
  "unknown-attributes": {
    POST: {
      request: posted({ nosuch: 1, name: { givenName: "B", nosuch: 1 } }),
      meant: { userName: "new", name: { givenName: "B" } },
      fired: ["unknown-attributes nosuch", "unknown-attributes name.nosuch"],
      refused: "400 invalidSyntax",
    },
    "a mistyped URN": {
      request: posted({ "urn:ietf:params:scim:schemas:extension:enterprise:2.0User": { department: "x" } }),
      meant: { userName: "new" },
      fired: ["unknown-attributes urn:ietf:params:scim:schemas:extension:enterprise:2.0User"],
      refused: "400 invalidSyntax",
    },
    "in an extension": {
      request: posted(enterprise({ department: "a", nosuch: 1 })),
      meant: { userName: "new", ...enterprise({ department: "a" }) },
      fired: [`unknown-attributes ${ENTERPRISE_USER_URN}:nosuch`],
      refused: "400 invalidSyntax",
    },
    "PATCH without path": {
      request: patched({ op: "add", value: { title: "Guide", nosuch: 1 } }, "title"),
      meant: "Guide",
      fired: ["unknown-attributes nosuch"],
      refused: "400 invalidValue",
    },
    "PATCH, in a value": {
      request: patched({ op: "add", path: "name", value: { givenName: "B", nosuch: 1 } }, "name"),
      meant: { givenName: "B" },
      fired: ["unknown-attributes name.nosuch"],
      refused: "400 invalidValue",
    },
  },
  "ignore-read-only": {
    "id and meta in POST": {
      request: posted({ id: "x", meta: {}, externalId: "e" }),
      meant: { userName: "new", externalId: "e" },
      fired: ["ignore-read-only id"],
      refused: "400 mutability",
    },
    "another id in PUT": {
      request: async (client) => (await client.put("User", USER, user({ id: "x" }))).resource["id"],
      meant: USER,
      fired: ["ignore-read-only id"],
      refused: "400 mutability",
    },
  },
  "malformed-references": {
    POST: {
      request: posted({ profileUrl: "not a uri" }),
      meant: { userName: "new", profileUrl: "not a uri" },
      fired: ["malformed-references profileUrl"],
      refused: "400 invalidValue",
    },
    "PATCH of a sub-attribute": {
      request: patched({ op: "add", path: 'photos[type eq "photo"].value', value: "C:\\me.png" }, "photos"),
      meant: [{ value: "C:\\me.png", type: "photo" }],
      fired: ["malformed-references photos.value"],
      refused: "400 invalidValue",
    },
  },
  "non-canonical-values": {
    POST: {
      request: posted({ emails: [{ value: "a", type: "yacht" }] }),
      meant: { userName: "new", emails: [{ value: "a", type: "yacht" }] },
      fired: ["non-canonical-values emails.type"],
      refused: "400 invalidValue",
    },
    "PATCH of a value": {
      request: patched({ op: "replace", path: 'emails[type eq "work"].type', value: "yacht" }, "emails"),
      meant: [{ ...work, type: "yacht" }],
      fired: ["non-canonical-values emails.type"],
      refused: "400 invalidValue",
    },
  },
  "empty-second-primary": {
    POST: {
      request: posted({
        emails: [
          { value: "a", primary: true },
          { value: "", primary: true },
        ],
      }),
      meant: { userName: "new", emails: [{ value: "a", primary: true }] },
      fired: ["empty-second-primary emails"],
      refused: "400 invalidValue",
    },
    PATCH: {
      request: patched(
        {
          op: "replace",
          path: "emails",
          value: [
            { value: "a", primary: true },
            { primary: true, type: "home" },
          ],
        },
        "emails",
      ),
      meant: [{ value: "a", primary: true }],
      fired: ["empty-second-primary emails"],
      refused: "400 invalidValue",
    },
  },
  "replace-creates-on-no-match": {
    "a sub-attribute": {
      request: patched({ op: "replace", path: 'emails[type eq "home"].value', value: "h" }, "emails"),
      meant: [work, { type: "home", value: "h" }],
      fired: ["replace-creates-on-no-match emails"],
      refused: "400 noTarget",
    },
    "a whole value": {
      request: patched({ op: "replace", path: 'emails[type eq "home"]', value: { value: "h" } }, "emails"),
      meant: [work, { type: "home", value: "h" }],
      fired: ["replace-creates-on-no-match emails"],
      refused: "400 noTarget",
    },
  },
  "nested-remove-value": {
    "remove members": {
      request: async (client) => {
        const value = { members: [{ value: "u1" }] };
        return (await client.patched("Group", GROUP, [{ op: "remove", path: "members", value }]))["members"];
      },
      meant: [{ value: "u2" }],
      fired: ["nested-remove-value members"],
      refused: "400 invalidValue",
    },
  },
  "object-as-text": {
    "PATCH without a path": {
      request: patched({ op: "replace", value: JSON.stringify(user({ title: "Guide" })) }, "title"),
      meant: "Guide",
      fired: ["object-as-text Operations"],
      refused: "400 invalidValue",
    },
    "a group with members": {
      request: async (client) => {
        const value = JSON.stringify(group({ displayName: "Tours", members: [{ value: "u3" }] }));
        return (await client.patched("Group", GROUP, [{ op: "add", value }]))["members"];
      },
      meant: [...START_MEMBERS, { value: "u3" }],
      fired: ["object-as-text Operations"],
      refused: "400 invalidValue",
    },
  },
  "unqualified-extension-names": {
    "a filter": {
      request: matched('department eq "Tours"'),
      meant: [USER],
      fired: [`unqualified-extension-names ${ENTERPRISE_USER_URN}:department`],
      refused: "400 invalidFilter",
    },
    "a PATCH path": {
      request: patched({ op: "replace", path: "department", value: "Sales" }, ENTERPRISE_USER_URN),
      meant: { department: "Sales" },
      fired: [`unqualified-extension-names ${ENTERPRISE_USER_URN}:department`],
      refused: "400 invalidPath",
    },
    "a filter with a dot behind the URN": {
      request: matched(`${ENTERPRISE_USER_URN}.department eq "Tours"`),
      meant: [USER],
      fired: [`unqualified-extension-names ${ENTERPRISE_USER_URN}:department`],
      refused: "400 invalidFilter",
    },
    "a PATCH path with a dot behind the URN": {
      request: patched(
        { op: "replace", path: `${ENTERPRISE_USER_URN}.department`, value: "Sales" },
        ENTERPRISE_USER_URN,
      ),
      meant: { department: "Sales" },
      fired: [`unqualified-extension-names ${ENTERPRISE_USER_URN}:department`],
      refused: "400 invalidPath",
    },
    "a PATCH path with a dot behind the URN of the base schema": {
      request: patched({ op: "replace", path: `${USER_URN}.title`, value: "Guide" }, "title"),
      meant: "Guide",
      fired: ["unqualified-extension-names title"],
      refused: "400 invalidPath",
    },
    sortBy: {
      request: async (client) => (await client.list("User", { sortBy: "department" })).totalResults,
      meant: 1,
      fired: [`unqualified-extension-names ${ENTERPRISE_USER_URN}:department`],
      refused: "400 invalidValue",
    },
  },
  "value-path-comparison": {
    "a filter": {
      request: matched('emails[type eq "work"].value eq "b@x.example"'),
      meant: [USER],
      fired: ["value-path-comparison filter"],
      refused: "400 invalidFilter",
    },
  },
  "lenient-literals": {
    "single quotes": {
      request: matched("userName eq 'bjensen'"),
      meant: [USER],
      fired: ["lenient-literals filter"],
      refused: "400 invalidFilter",
    },
    "no quotes": {
      request: matched("userName eq bjensen"),
      meant: [USER],
      fired: ["lenient-literals filter"],
      refused: "400 invalidFilter",
    },
    "a PATCH path": {
      request: patched({ op: "remove", path: "emails[type eq 'work']" }, "emails"),
      meant: undefined,
      fired: ["lenient-literals filter"],
      refused: "400 invalidPath",
    },
  },
  "unknown-projection-names": {
    attributes: {
      request: async (client) =>
        ownValues(await client.resource("User", USER, { attributes: ["nosuch", "userName"] })),
      meant: { userName: "bjensen" },
      fired: ["unknown-projection-names nosuch"],
      refused: "400 invalidValue",
    },
    excludedAttributes: {
      request: async (client) =>
        ownValues(await client.resource("User", USER, { excludedAttributes: ["name.nosuch", "emails"] })),
      meant: { userName: "bjensen", ...enterprise({ department: "Tours" }) },
      fired: ["unknown-projection-names name.nosuch"],
      refused: "400 invalidValue",
    },
  },
  "singular-value-path": {
    "as Entra ID takes a manager away": {
      request: managed({ op: "remove", path: `${MANAGER}[value eq "m1"]` }),
      meant: undefined,
      fired: [`singular-value-path ${MANAGER}`],
      refused: "400 invalidPath",
    },
    "another is meant": {
      request: managed({ op: "remove", path: `${MANAGER}[value eq "m2"]` }),
      meant: "m1",
      fired: [`singular-value-path ${MANAGER}`],
      refused: "400 invalidPath",
    },
    "a sub-attribute": {
      request: managed({ op: "replace", path: `${MANAGER}[value eq "m1"].value`, value: "m2" }),
      meant: "m2",
      fired: [`singular-value-path ${MANAGER}`],
      refused: "400 invalidPath",
    },
  },
  "missing-schemas": {
    POST: {
      request: async (client) => {
        const { resource } = await client.post("User", {
          userName: "new",
          ...enterprise({ division: "Sea" }),
        });
        return resource;
      },
      meant: expect.objectContaining({
        ...user({ userName: "new" }),
        schemas: [USER_URN, ENTERPRISE_USER_URN],
      }),
      fired: ["missing-schemas schemas"],
      refused: "400 invalidSyntax",
    },
    PUT: {
      request: async (client) => ownValues((await client.put("User", USER, { userName: "other" })).resource),
      meant: { userName: "other" },
      fired: ["missing-schemas schemas"],
      refused: "400 invalidSyntax",
    },
  },
  "empty-operations": {
    PATCH: {
      request: async (client) => ownValues(await client.patched("User", USER, [])),
      meant: START_USER,
      fired: ["empty-operations Operations"],
      refused: "400 invalidSyntax",
    },
  },
};

/** Switches whose kind is a rule or another place, and the tests that they have. */
const ELSEWHERE: ReadonlyMap<SwitchName, string> = new Map([
  ["missing-patch-schemas", "below: the body is not that of a client"],
  ["no-content-for-group-patch", "below: no error answers its absence"],
  ["group-name-unique", "uniqueness.test.ts: it is on or off for a second resource"],
  ["bare-token", "@scim/http reads the header"],
  ["excessive-count", "list/cursor.test.ts: a count is no value of an attribute"],
  ["plain-answers", "discovery/discovery.test.ts, and @scim/http makes the bodies of errors"],
  ["search-as-strings", "@scim/http reads the message"],
  ["require-version", "versions/required.test.ts: it refuses instead of tolerating"],
  ["patch-path-required", "interop.test.ts: it refuses instead of tolerating"],
  ["replace-whole-complex", "interop.test.ts: no error answers its absence"],
  ["unknown-invalid-syntax", "interop.test.ts: it refuses in other words"],
  ["value-path-sub-attribute", "interop.test.ts: it refuses instead of tolerating"],
]);

async function started(): Promise<ReturnType<typeof testService>> {
  const tested = testService(bindTestExtension());
  await tested.as().post("User", user(START_USER));
  await tested.as().post("Group", group({ members: START_MEMBERS }));
  return tested;
}

function without(name: SwitchName): ReturnType<typeof createProfile> {
  return createProfile(
    "without",
    [...PROFILES.tolerant.switches].filter((each) => each !== name),
  );
}

const rows = Object.entries(ROWS).flatMap(([name, cases]) =>
  Object.entries(cases).map(([title, row]) => [name as SwitchName, title, row] as const),
);

describe("every switch does what it says, is reported, and can be turned off", () => {
  test.each(rows)("%s: %s", async (name, _title, { request, meant, fired, refused }) => {
    const on = await started();
    expect(await request(on.as(createProfile("alone", [name])))).toEqual(meant);
    expect(on.fired).toEqual(fired);
    for (const profile of ["strict" as const, without(name)]) {
      const off = await started();
      expect((await refusal(request(off.as(profile)))).answer).toBe(refused);
      expect(off.fired.filter((each) => each.startsWith(`${name} `))).toEqual([]);
      expect(await off.as().get("User", USER)).toEqual(await (await started()).as().get("User", USER));
    }
  });

  test("no switch is without a test", () => {
    const tested = new Set<string>([...rows.map(([name]) => name), ...ELSEWHERE.keys()]);
    expect([...tested].toSorted()).toEqual(Object.keys(SWITCHES).toSorted());
  });

  test("A-SCH-01 missing-schemas is for schemas that are left out, not for those of another type", async () => {
    const tested = await started();
    const client = tested.as(createProfile("alone", ["missing-schemas"]));
    for (const schemas of [null, [], "x", ["urn:example:other"]])
      expect((await refusal(client.post("User", { schemas, userName: "new" }))).answer).toBe(
        "400 invalidSyntax",
      );
    expect(tested.fired).toEqual([]);
  });

  test.each([
    ["another is meant", 'name[givenName eq "Jo"].familyName', "noTarget"],
    ["an unknown sub-attribute", 'name[givenName eq "Barbara"].nosuch', "invalidPath"],
    ["a plain value", 'userName[value eq "bjensen"]', "invalidPath"],
    ["an extension", `${ENTERPRISE_USER_URN}[department eq "Tours"]`, "invalidPath"],
    ["an unknown name", 'name[nosuch eq "x"]', "invalidFilter"],
  ])("R7644-3.5.2-18 singular-value-path sets nothing where %s", async (_title, path, scimType) => {
    const client = (await started()).as("tolerant");
    const operations = [
      { op: "add", path: "name", value: { givenName: "Barbara" } },
      { op: "replace", path, value: "x" },
    ];
    expect((await refusal(client.patched("User", USER, operations))).answer).toBe(`400 ${scimType}`);
  });

  test("missing-patch-schemas", async () => {
    const { Operations } = patchBody([{ op: "replace", path: "title", value: "Guide" }]);
    const request = { ...PLAIN, type: "User", id: USER, body: { Operations: Operations ?? null } };
    const tested = await started();
    const answer = await tested.service.patch(tested.context("tolerant"), request);
    expect(answer.kind === "resource" && answer.resource["title"]).toBe("Guide");
    expect(tested.fired).toEqual(["missing-patch-schemas schemas"]);
    const refused = await refusal(tested.service.patch(tested.context("strict"), request));
    expect(refused.answer).toBe("400 invalidSyntax");
    const wrong = { ...request, body: { schemas: ["urn:example:other"], Operations: Operations ?? null } };
    expect((await refusal(tested.service.patch(tested.context("tolerant"), wrong))).answer).toBe(
      "400 invalidSyntax",
    );
  });

  test.each([
    ["schemas alone, as ConnId sends it", { schemas: [PATCH_OP_URN] }],
    ["null for Operations", { schemas: [PATCH_OP_URN], operations: null }],
  ])("empty-operations: a PATCH of %s", async (_title, body) => {
    const tested = await started();
    const request = { ...PLAIN, type: "User", id: USER, body };
    const before = await tested.as().get("User", USER);
    expect(await tested.service.patch(tested.context("tolerant"), request)).toEqual(before);
    expect(tested.fired).toEqual(["empty-operations Operations"]);
    expect((await refusal(tested.service.patch(tested.context("strict"), request))).answer).toBe(
      "400 invalidSyntax",
    );
  });

  test.each<JsonObject>([
    { schemas: [PATCH_OP_URN], active: false },
    { schemas: [PATCH_OP_URN], value: { active: false }, Operations: null },
    {},
    { Operations: null },
    { active: false },
    { schemas: [PATCH_OP_URN], Operations: {} },
  ])("empty-operations: a PATCH of %j may mean a change, and is refused", async (body) => {
    const tested = await started();
    const request = { ...PLAIN, type: "User", id: USER, body };
    const refused = await refusal(tested.service.patch(tested.context("tolerant"), request));
    expect(refused.answer).toBe("400 invalidSyntax");
  });

  const noNumbers = [
    "",
    " 42",
    "42 ",
    "+42",
    "042",
    "0x2a",
    "4_2",
    "4x",
    "1,5",
    ".5",
    "5.",
    "1e400",
    "NaN",
    "true",
  ];
  test.each<readonly [string, string]>([
    ["age", "1.5"],
    ["age", "9007199254740993"],
    ["age", "9007199254740991.4"],
    ["age", "1.00000000000000000001"],
    ["score", "0.12345678901234567890123"],
    ["score", "12345678901234567890.5"],
    ["score", "1e-400"],
    ...noNumbers.flatMap((text) => [["age", text] as const, ["score", text] as const]),
  ])("string-numbers: %s of %j stays no number", async (name, text) => {
    const tested = await started();
    const post = tested.as("tolerant").post("User", user({ userName: "new", ...extended({ [name]: text }) }));
    expect((await refusal(post)).answer).toBe("400 invalidValue");
    expect(tested.fired).toEqual([]);
  });

  test.each([
    "Guide",
    "[]",
    "null",
    "{",
    '{"title":"Guide"} {}',
    '[{"title":"Guide"}]',
    '{"title":"half \\ud800 of a pair"}',
    '{"title\\udc00":"Guide"}',
    '{"title":1e999}',
    `{"title":${"[".repeat(64)}${"]".repeat(64)}}`,
  ])("object-as-text: %s stays a text", async (value) => {
    expect(await sentAsText(value)).toEqual({ answer: "400 invalidValue", fired: [] });
  });

  test("object-as-text: more than 100,000 characters stay a text", async () => {
    const value = `{"title":"Guide"}${" ".repeat(100_000)}`;
    expect(await sentAsText(value)).toEqual({ answer: "400 invalidValue", fired: [] });
  });

  async function sentAsText(value: string): Promise<object> {
    const { as, fired } = await started();
    const { answer } = await refusal(as("tolerant").patched("User", USER, [{ op: "replace", value }]));
    return { answer, fired };
  }

  const inLists = ["single-element-array", "string-booleans", "reference-as-string"] as const;
  test.each([[inLists], [inLists.toReversed()]])(
    "one rewrite works on what another made, in whatever order they are turned on: %j",
    async (names) => {
      const client = testService().as(createProfile("flipped", names));
      const sent = user({ active: ["True"], ...enterprise({ manager: ["m1"] }) });
      expect((await client.post("User", sent)).resource).toMatchObject({
        active: true,
        ...enterprise({ manager: { value: "m1" } }),
      });
    },
  );

  test("unqualified-extension-names in a key: without it what stands behind a dot is an unknown attribute", async () => {
    const tested = await started();
    const patch = patched(
      { op: "add", value: { [`${ENTERPRISE_USER_URN}.department`]: "Sales" } },
      ENTERPRISE_USER_URN,
    );
    expect((await refusal(patch(tested.as("strict")))).answer).toBe("400 invalidValue");
    expect(await patch(tested.as(without("unqualified-extension-names")))).toEqual({ department: "Tours" });
    expect(tested.fired.splice(0)).toEqual([`unknown-attributes ${ENTERPRISE_USER_URN}.department`]);
    expect(await patch(tested.as("tolerant"))).toEqual({ department: "Sales" });
  });

  test.each(["department", `${ENTERPRISE_USER_URN}.department`])(
    "unqualified-extension-names in attributes: without it %s is an unknown name",
    async (name) => {
      const tested = await started();
      const asked = { attributes: [name] };
      const found = await tested.as("tolerant").resource("User", USER, asked);
      expect(ownValues(found)).toEqual(enterprise({ department: "Tours" }));
      expect(tested.fired.splice(0)).toEqual([
        `unqualified-extension-names ${ENTERPRISE_USER_URN}:department`,
      ]);
      const dropped = tested.as(without("unqualified-extension-names"));
      expect(ownValues(await dropped.resource("User", USER, asked))).toEqual({});
      expect(tested.fired).toEqual([`unknown-projection-names ${name}`]);
      expect((await refusal(tested.as("strict").get("User", USER, asked))).answer).toBe("400 invalidValue");
    },
  );

  test("no-content-for-group-patch: 204 for what has references, unless attributes are named", async () => {
    const tested = await started();
    const client = tested.as("entra");
    const operation = { op: "add", path: "members", value: [{ value: "u3" }] };
    const answer = await client.patch("Group", GROUP, [operation]);
    expect(answer).toEqual({
      kind: "noContent",
      version: answer.version,
      location: "https://scim.example/scim/v2/Groups/id-2",
    });
    const asked = await client.patched("Group", GROUP, [operation], { attributes: ["members"] });
    expect(asked["members"]).toHaveLength(3);
    expect((await client.patch("Group", GROUP, [operation], { prefer: "representation" })).kind).toBe(
      "resource",
    );
    expect((await client.patch("User", USER, [{ op: "add", path: "title", value: "x" }])).kind).toBe(
      "resource",
    );
    expect((await tested.as("tolerant").patch("Group", GROUP, [operation])).kind).toBe("resource");
  });
});

describe("what needs no switch: on in strict too", () => {
  const ALWAYS: readonly (readonly [string, JsonValue, JsonObject])[] = [
    [
      "R7644-3.5.2-05 op and member names in any letter case",
      [{ OP: "Add", Path: "TITLE", VALUE: "Guide" }],
      { title: "Guide" },
    ],
    ["path: null", [{ op: "add", path: null, value: { title: "Guide" } }], { title: "Guide" }],
    [
      "R7644-3.5.2.1-10 URN, dotted and value-path keys without a path",
      [
        {
          op: "replace",
          value: {
            "name.givenName": "B",
            [`${ENTERPRISE_USER_URN}:costCenter`]: "7",
            'emails[type eq "work"].display': "W",
          },
        },
      ],
      {
        name: { givenName: "B" },
        emails: [{ ...work, display: "W" }],
        ...enterprise({ department: "Tours", costCenter: "7" }),
      },
    ],
    [
      "R7644-3.5.2-33 one object for a list",
      [{ op: "add", path: "emails", value: { value: "c" } }],
      { emails: [work, { value: "c" }] },
    ],
    [
      "R7644-3.5.2.1-09 add creates on no match; several operations fill one new value",
      [
        { op: "add", path: 'emails[type eq "home"].value', value: "h" },
        { op: "add", path: 'emails[type eq "home"].display', value: "H" },
      ],
      { emails: [work, { type: "home", value: "h", display: "H" }] },
    ],
    [
      "R7644-3.5.2-34 id that is the resource's own, schemas and meta are ignored",
      [{ op: "replace", value: { ID: USER, schemas: ["x"], meta: { version: "x" }, title: "Guide" } }],
      { title: "Guide" },
    ],
    [
      "R7644-3.5.2-09 unknown members of an operation",
      [{ op: "add", path: "title", value: "Guide", name: "addTitle" }],
      { title: "Guide" },
    ],
  ];

  test.each(ALWAYS)("%s", async (_name, operations, kept) => {
    const tested = await started();
    const after = await tested.as("strict").patched("User", USER, operations);
    expect(ownValues(after)).toEqual({ ...START_USER, ...kept });
    expect(tested.fired).toEqual([]);
  });

  test.each<readonly [string, JsonObject, JsonValue]>([
    ["R7644-3.5.2.2-10 remove with a value list", { value: [{ value: "u1" }] }, [{ value: "u2" }]],
    ["with one object", { value: { value: "u1" } }, [{ value: "u2" }]],
    ["with display beside", { value: [{ $ref: null, value: "u1", display: "x" }] }, [{ value: "u2" }]],
    ["with an empty list: none", { value: [] }, START_MEMBERS],
    ["with a stranger: no error", { value: [{ value: "u9" }] }, START_MEMBERS],
  ])("%s", async (_name, operation, members) => {
    const tested = await started();
    const removal = [{ op: "remove", path: "members", ...operation }];
    expect((await tested.as("strict").patched("Group", GROUP, removal))["members"]).toEqual(members);
  });

  test.each([[{}], [{ value: null }]])("remove of all members: %j", async (operation) => {
    const tested = await started();
    const after = await tested
      .as("strict")
      .patched("Group", GROUP, [{ op: "remove", path: "members", ...operation }]);
    expect(after).not.toHaveProperty("members");
  });
});

describe("profiles", () => {
  const ANSWERS = ["no-content-for-group-patch"];
  const IN_NONE = ["missing-schemas", "plain-answers", "require-version"];
  const IN_INTEROP = [
    "patch-path-required",
    "replace-whole-complex",
    "unknown-invalid-syntax",
    "value-path-sub-attribute",
  ];
  const tolerances = Object.keys(SWITCHES).filter(
    (name) => ![...ANSWERS, ...IN_NONE, ...IN_INTEROP].includes(name),
  );

  test("strict has none, tolerant every tolerance, entra one preference more", () => {
    expect([...PROFILES.strict.switches]).toEqual([]);
    expect([...PROFILES.tolerant.switches].toSorted()).toEqual(tolerances.toSorted());
    expect([...PROFILES.okta.switches].toSorted()).toEqual(tolerances.toSorted());
    expect([...PROFILES.entra.switches].toSorted()).toEqual([...tolerances, ...ANSWERS].toSorted());
  });

  test("a name without a date is the newest release of its family, and says so", () => {
    for (const [name, profile] of Object.entries(PROFILES))
      expect(profile.name).toBe(name.includes("@") ? name : `${name}@2026-11`);
  });

  // Whoever chose a dated name keeps its meaning: a change here needs a new date instead.
  test("a released profile stays what it was", async () => {
    const released = Object.entries(PROFILES).filter(([name]) => name.endsWith("@2026-11"));
    const switches = released.map(([name, profile]) => [name, [...profile.switches].toSorted()]);
    const text = `${JSON.stringify(Object.fromEntries(switches), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("released-2026-11.json");
  });

  test("a switch is filed under its own name, and says everything in sentences", () => {
    for (const [name, each] of Object.entries(SWITCHES)) {
      expect(each.name).toBe(name);
      for (const text of [each.does, each.otherwise, each.sentBy, each.rfc]) expect(text).toMatch(/^\S.*\.$/);
    }
  });

  test("a tolerance is told once a request, for each attribute, also where paths come from memory", async () => {
    const tested = await started();
    const client = tested.as("tolerant");
    const operation = { op: "replace", path: "department", value: "Sales" };
    const told = [`unqualified-extension-names ${ENTERPRISE_USER_URN}:department`];
    await client.patch("User", USER, [operation, operation]);
    expect(tested.fired.splice(0)).toEqual(told);
    await client.patch("User", USER, [operation]);
    expect(tested.fired).toEqual(told);
  });
});
