import { ENTERPRISE_USER_URN, USER_URN, type JsonObject } from "@scim/schemas";
import { beforeAll, describe, expect, test } from "vitest";
import { enterprise, group, metaOf, ownValues, user } from "../support/bodies.ts";
import { createTestClient, idOf, type TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { BASE_URL, testService } from "../support/service.ts";
import { bindTestExtension, extended, TEST_URN } from "../support/test-extension.ts";

/** `tier` is returned always, `hint` on request, `pin` never, `code` by default. */
const OWN = {
  userName: "bjensen",
  externalId: "701984",
  name: { givenName: "Barbara", familyName: "Jensen" },
  emails: [
    { value: "b@x.example", type: "work", primary: true },
    { value: "b@home.example", type: "home" },
  ],
};
const SENT = user({
  ...OWN,
  password: "t1meMa$heen",
  ...enterprise({ department: "Tours", manager: { value: "m1" } }),
  ...extended({ tier: "gold", hint: "h", pin: "1234", code: "c" }),
});
const MANAGER = { value: "m1", $ref: `${BASE_URL}/Users/m1` };
const TIER = extended({ tier: "gold" });
const ENTERPRISE = enterprise({ department: "Tours", manager: MANAGER });
const EXTENDED = extended({ tier: "gold", code: "c" });
const DEFAULT: JsonObject = { ...OWN, ...ENTERPRISE, ...EXTENDED };
const { userName, externalId, name, emails } = OWN;

let client: TestClient;
let id = "";
beforeAll(async () => {
  client = testService(bindTestExtension()).as("strict");
  id = idOf(await client.post("User", SENT));
});

describe("R7644-3.9-T-01 neither parameter", () => {
  test("always and default are shown, request and never are not", async () => {
    expect(ownValues(await client.resource("User", id))).toEqual(DEFAULT);
  });

  test("R7644-3.9-02, A-PRJ-02, R7644-3.9-12, R7644-3.4.2-08 schemas, id and meta stand in every representation", async () => {
    const whole = await client.resource("User", id);
    const frame = { schemas: [USER_URN, ENTERPRISE_USER_URN, TEST_URN], id, meta: whole["meta"] };
    expect(whole).toMatchObject(frame);
    for (const options of [
      { attributes: ["userName"] },
      { attributes: [] },
      { excludedAttributes: ["id", "schemas", "meta", "meta.version"] },
      { excludedAttributes: [TEST_URN, USER_URN, ENTERPRISE_USER_URN] },
    ]) {
      expect(await client.resource("User", id, options)).toMatchObject(frame);
    }
  });
});

describe("R7644-3.9-T-02, R7644-3.9-02 attributes", () => {
  const ROWS: readonly (readonly [string, readonly string[], JsonObject])[] = [
    ["one", ["userName"], { userName }],
    [
      "R7644-3.9-06 in any letter case",
      ["USERNAME", "Name.GIVENNAME"],
      { userName, name: { givenName: "Barbara" } },
    ],
    ["R7644-3.9-06 with the URN of the base schema", [`${USER_URN}:userName`], { userName }],
    ["a common attribute", ["externalId"], { externalId }],
    ["several", ["userName", "externalId"], { userName, externalId }],
    ["a complex attribute", ["name"], { name }],
    ["R7644-3.9-08 a sub-attribute", ["name.givenName"], { name: { givenName: "Barbara" } }],
    [
      "R7644-3.9-08 a sub-attribute of every value",
      ["emails.type"],
      { emails: [{ type: "work" }, { type: "home" }] },
    ],
    ["a sub-attribute that some values have", ["emails.primary"], { emails: [{ primary: true }] }],
    ["a sub-attribute that no value has", ["emails.display"], {}],
    ["an attribute without a value", ["nickName"], {}],
    ["an extension's attribute", [`${ENTERPRISE_USER_URN}:department`], enterprise({ department: "Tours" })],
    [
      "a sub-attribute of an extension's",
      [`${ENTERPRISE_USER_URN}:manager.value`],
      enterprise({ manager: { value: "m1" } }),
    ],
    [
      "$ref, which is made",
      [`${ENTERPRISE_USER_URN}:manager.$ref`],
      enterprise({ manager: { $ref: `${BASE_URL}/Users/m1` } }),
    ],
    ["R7644-3.9-10 an extension as a whole", [ENTERPRISE_USER_URN], ENTERPRISE],
    ["the URN of the base schema", [USER_URN], OWN],
    ["R7644-3.9-13 a value path stands for its attribute", ['emails[type eq "work"]'], { emails }],
    ["R7644-3.9-13 with a sub-attribute too", ['emails[type eq "work"].value'], { emails }],
    ["one returned on request", [`${TEST_URN}:hint`], extended({ tier: "gold", hint: "h" })],
    ["R7644-3.9-09 an extension without what is returned on request", [TEST_URN], EXTENDED],
    ["R7643-7-10 one never returned", ["password", `${TEST_URN}:pin`], {}],
    ["both parent and part", ["name", "name.givenName"], { name }],
    ["an empty list is the minimum set", [], {}],
  ];

  test.each(ROWS)("%s", async (_name, attributes, shown) => {
    const resource = await client.resource("User", id, { attributes });
    // What is returned always is there whatever is asked for.
    expect(ownValues(resource)).toEqual({ ...TIER, ...shown });
  });
});

describe("R7644-3.9-T-03 excludedAttributes", () => {
  const { [ENTERPRISE_USER_URN]: _enterprise, ...WITHOUT_ENTERPRISE } = DEFAULT;
  const { name: _name, ...WITHOUT_NAME } = DEFAULT;
  const ROWS: readonly (readonly [string, readonly string[], JsonObject])[] = [
    ["one", ["name"], WITHOUT_NAME],
    ["in any letter case, with the URN", [`${USER_URN.toUpperCase()}:NAME`], WITHOUT_NAME],
    ["a sub-attribute", ["name.givenName"], { ...DEFAULT, name: { familyName: "Jensen" } }],
    [
      "R7644-3.9-15 every sub-attribute leaves no empty object",
      ["name.givenName", "name.familyName"],
      WITHOUT_NAME,
    ],
    [
      "of every value",
      ["emails.value", "emails.primary"],
      { ...DEFAULT, emails: [{ type: "work" }, { type: "home" }] },
    ],
    ["R7644-3.9-10 an extension as a whole", [ENTERPRISE_USER_URN], WITHOUT_ENTERPRISE],
    [
      "an extension's attribute",
      [`${ENTERPRISE_USER_URN}:manager`],
      { ...DEFAULT, ...enterprise({ department: "Tours" }) },
    ],
    [
      "$ref, which is made",
      [`${ENTERPRISE_USER_URN}:manager.$ref`],
      { ...DEFAULT, ...enterprise({ department: "Tours", manager: { value: "m1" } }) },
    ],
    ["R7644-3.9-03 one returned always", [`${TEST_URN}:tier`, "id"], DEFAULT],
    ["R7644-3.9-03 an extension with one returned always", [TEST_URN], { ...DEFAULT, ...TIER }],
    ["one returned on request, or never", [`${TEST_URN}:hint`, "password"], DEFAULT],
    ["an empty list", [], DEFAULT],
  ];

  test.each(ROWS)("%s", async (_title, excludedAttributes, shown) => {
    expect(ownValues(await client.resource("User", id, { excludedAttributes }))).toEqual(shown);
  });
});

describe("names are bounded, each counted once", () => {
  const many = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `no name ${String(index)}`);

  test.each(["attributes", "excludedAttributes"] as const)("%s", async (list) => {
    const reader = testService().as("tolerant");
    await reader.post("User", user());
    const repeated = [...many(999), ...Array.from({ length: 5000 }, () => "userName")];
    for (const type of ["User", null]) {
      expect((await reader.list(type, { [list]: repeated })).resources).toHaveLength(1);
      const refused = await refusal(reader.list(type, { [list]: many(1001) }));
      expect([refused.answer, refused.detail]).toEqual([
        "400 invalidValue",
        expect.stringContaining("1000 names at most"),
      ]);
    }
    expect((await refusal(reader.get("User", "id-1", { [list]: many(1001) }))).answer).toBe(
      "400 invalidValue",
    );
  });

  test("those that none of several types has are looked for in each of them once", async () => {
    const { service, context } = testService();
    let asked = 0;
    const { profile } = context("tolerant");
    const switches = new Set(profile.switches);
    const counting = { ...profile, switches };
    switches.has = (each) => {
      if (each === "unknown-projection-names") asked += 1;
      return profile.switches.has(each);
    };
    const reader = createTestClient(service, context(counting));
    await reader.list(null, { attributes: many(50) });
    expect(asked).toBe(50);
  });
});

describe("every operation that answers a resource", () => {
  test("R7644-3.9-04 both lists are refused, and nothing is written", async () => {
    const tested = testService();
    const writer = tested.as("tolerant");
    const both = { attributes: ["userName"], excludedAttributes: ["name"] };
    expect((await refusal(writer.post("User", user(), both))).answer).toBe("400 invalidValue");
    expect((await writer.list("User")).totalResults).toBe(0);
    const { version } = await writer.post("User", user());
    for (const request of [
      writer.get("User", "id-1", both),
      writer.put("User", "id-1", user({ title: "x" }), both),
      writer.patch("User", "id-1", [{ op: "add", path: "title", value: "x" }], both),
      writer.list("User", both),
    ]) {
      expect((await refusal(request)).answer).toBe("400 invalidValue");
    }
    expect((await writer.get("User", "id-1")).version).toBe(version);
  });

  test("R7644-3.9-07 POST, GET, PUT, PATCH and lists show the same, and R7644-3.9-14 one version", async () => {
    const writer = testService().as();
    const asked = { attributes: ["name.givenName"] };
    const body = user({ name: { givenName: "Barbara" }, title: "Guide" });
    const posted = await writer.post("User", body, asked);
    const shown = { name: { givenName: "Barbara" } };
    expect(ownValues(posted.resource)).toEqual(shown);
    const answers = [
      await writer.get("User", "id-1", asked),
      await writer.put("User", "id-1", body, asked),
      await writer.patch("User", "id-1", [{ op: "add", path: "title", value: "Guide" }], asked),
    ];
    for (const answer of answers) expect(answer).toEqual(posted);
    const { resources } = await writer.list("User", asked);
    expect(resources).toEqual([posted.resource]);
    expect(metaOf(posted.resource, "version")).toBe(`W/"${(await writer.get("User", "id-1")).version}"`);
  });

  test("R7643-7-11 after a write, what is returned on request is shown where the client gave it", async () => {
    const writer = testService(bindTestExtension()).as();
    const hint = extended({ hint: "h" });
    const shown = { userName, ...hint };
    expect(ownValues((await writer.post("User", user(hint))).resource)).toEqual(shown);
    expect(ownValues(await writer.resource("User", "id-1"))).toEqual({ userName });
    expect(ownValues((await writer.put("User", "id-1", user(hint))).resource)).toEqual(shown);
    for (const operation of [
      { op: "replace", path: `${TEST_URN}:hint`, value: "h" },
      { op: "replace", path: TEST_URN, value: { hint: "h" } },
      { op: "replace", value: hint },
      { op: "replace", value: { [`${TEST_URN}:hint`]: "h" } },
    ]) {
      expect(ownValues(await writer.patched("User", "id-1", [operation]))).toEqual(shown);
    }
    const title = { op: "add", path: "title", value: "Guide" };
    expect(ownValues(await writer.patched("User", "id-1", [title]))).toEqual({ userName, title: "Guide" });
    const { resource } = await writer.put("User", "id-1", user(hint), { excludedAttributes: ["title"] });
    expect(ownValues(resource)).toEqual({ userName });
  });
});

describe("R7643-7-11 of parts that are returned on request, those are shown that the client gave", () => {
  const urn = "urn:example:params:scim:schemas:acme:1.0:Thing";
  const text = (named: string, returned = "default"): JsonObject => ({
    name: named,
    type: "string",
    returned,
  });
  const subAttributes = [
    text("value"),
    text("hint", "request"),
    { ...text("mark", "request"), mutability: "immutable" },
  ];
  const ATTRIBUTES = [
    { name: "part", type: "complex", subAttributes },
    { name: "parts", type: "complex", multiValued: true, subAttributes },
    { name: "whole", type: "complex", returned: "request", subAttributes },
  ];
  const all = { value: "a", hint: "h", mark: "m" };
  const body = { schemas: [urn], part: all, parts: [all], whole: all };
  const bare = { part: { value: "a" }, parts: [{ value: "a" }] };

  test.each<readonly [JsonObject, JsonObject]>([
    [{ op: "add", path: "part", value: { value: "b" } }, { part: { value: "b" } }],
    [{ op: "add", path: "part.hint", value: "i" }, { part: { value: "a", hint: "i" } }],
    [{ op: "replace", value: { PART: { Hint: "i" } } }, { part: { value: "a", hint: "i" } }],
    [{ op: "add", path: "parts", value: [{ value: "b" }] }, { parts: [{ value: "a" }, { value: "b" }] }],
    [
      { op: "add", path: "parts", value: [{ value: "b", hint: "i" }] },
      {
        parts: [
          { value: "a", hint: "h" },
          { value: "b", hint: "i" },
        ],
      },
    ],
    [{ op: "replace", path: 'parts[value eq "a"].hint', value: "i" }, { parts: [{ value: "a", hint: "i" }] }],
    [{ op: "replace", path: "whole.value", value: "b" }, { whole: { value: "b" } }],
    [{ op: "add", path: "whole", value: { hint: "i" } }, { whole: { value: "a", hint: "i" } }],
  ])("PATCH %j", async (operation, shown) => {
    const writer = testService((registry) => {
      registry.addSchema({ id: urn, attributes: ATTRIBUTES });
      registry.addResourceType({ name: "Thing", endpoint: "/Things", schema: urn });
    }).as();
    const { schemas: _schemas, ...given } = body;
    expect(ownValues((await writer.post("Thing", body)).resource)).toEqual(given);
    expect(ownValues(await writer.patched("Thing", "id-1", [operation]))).toEqual({ ...bare, ...shown });
    const put = await writer.put("Thing", "id-1", { schemas: [urn], ...bare, whole: { value: "a" } });
    expect(ownValues(put.resource)).toEqual({ ...bare, whole: { value: "a" } });
  });
});

describe("reference collections and inverses", () => {
  const U1 = `${BASE_URL}/Users/id-1`;
  const G1 = `${BASE_URL}/Groups/id-2`;
  const ROWS: readonly (readonly [string, "User" | "Group", readonly string[], JsonObject])[] = [
    ["members", "Group", ["members"], { members: [{ value: "id-1", $ref: U1, type: "User" }] }],
    ["members.value", "Group", ["members.value"], { members: [{ value: "id-1" }] }],
    ["members.$ref", "Group", ["members.$ref"], { members: [{ $ref: U1 }] }],
    ["not members", "Group", ["displayName"], { displayName: "Tour Guides" }],
    [
      "groups",
      "User",
      ["groups"],
      { groups: [{ value: "id-2", $ref: G1, display: "Tour Guides", type: "direct" }] },
    ],
    ["groups.display", "User", ["groups.display"], { groups: [{ display: "Tour Guides" }] }],
    ["not groups", "User", ["userName"], { userName }],
  ];

  test.each(ROWS)("%s", async (_name, type, attributes, shown) => {
    const reader = testService().as();
    await reader.post("User", user());
    await reader.post("Group", group({ members: [{ value: "id-1", type: "User" }] }));
    const target = type === "User" ? "id-1" : "id-2";
    expect(ownValues(await reader.resource(type, target, { attributes }))).toEqual(shown);
  });

  test("an empty collection is left out", async () => {
    const reader = testService().as();
    const { resource } = await reader.post("Group", group({ members: [] }));
    expect(resource).not.toHaveProperty("members");
  });
});
