import { ENTERPRISE_USER_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { WritePlan } from "../../src/index.ts";
import { enterprise, group, user } from "../support/bodies.ts";
import { patchBody } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { PLAIN, testService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";

const START = user({
  title: "Guide",
  name: { givenName: "B", familyName: "J" },
  emails: [
    { value: "a", type: "work", primary: true },
    { value: "b", type: "home" },
  ],
  ...enterprise({ department: "Tours", manager: { value: "m1" } }),
});

/** Eight operations that touch every kind of target, in place and not. */
const EIGHT = [
  { op: "replace", path: "title", value: "x" },
  { op: "add", path: "name.middleName", value: "x" },
  { op: "replace", path: 'emails[type eq "work"].value', value: "x" },
  { op: "add", path: "emails", value: [{ value: "c", primary: true }] },
  { op: "remove", path: 'emails[type eq "home"]' },
  { op: "replace", value: enterprise({ department: "x", manager: { value: "m2" } }) },
  {
    op: "add",
    path: "roles",
    value: [
      { value: "r", type: "x" },
      { value: "r", type: "x", primary: true },
    ],
  },
  { op: "remove", path: "name.givenName" },
];
const TENTH = { op: "replace", path: "nickName", value: "x" };

describe("R7644-3.5.2-28 all operations or none", () => {
  const NINTHS: readonly (readonly [string, JsonObject, string])[] = [
    ["a readOnly attribute", { op: "add", path: "groups", value: [{ value: "g" }] }, "400 mutability"],
    ["a required attribute removed", { op: "remove", path: "userName" }, "400 mutability"],
    ["a wrong type", { op: "replace", path: "active", value: 1 }, "400 invalidValue"],
    ["an unknown path", { op: "replace", path: "nosuch", value: 1 }, "400 invalidPath"],
    [
      "nothing to replace",
      { op: "replace", path: 'emails[type eq "fax"].value', value: "x" },
      "400 noTarget",
    ],
    ["a filter that does not fit", { op: "remove", path: "emails[primary gt true]" }, "400 invalidFilter"],
    [
      "two primaries",
      {
        op: "add",
        path: "emails",
        value: [
          { value: "d", primary: true },
          { value: "e", primary: true },
        ],
      },
      "400 invalidValue",
    ],
    ["a userName that is taken", { op: "replace", path: "userName", value: "taken" }, "409 uniqueness"],
  ];

  test.each(NINTHS)("ten operations, the ninth fails: %s", async (_name, ninth, answer) => {
    const plans: WritePlan[] = [];
    const tested = testService(undefined, { wrap: (store) => recordingStore(store, { plans }) });
    const client = tested.as("strict");
    const created = await client.post("User", START);
    await client.post("User", user({ userName: "taken" }));
    const written = answer === "409 uniqueness" ? 3 : 2;
    const refused = await refusal(client.patch("User", "id-1", [...EIGHT, ninth, TENTH]));
    expect(refused.answer).toBe(answer);
    expect(await client.get("User", "id-1")).toEqual(created);
    expect(plans).toHaveLength(written);
  });

  test("the eight and the tenth are one change", async () => {
    const plans: WritePlan[] = [];
    const tested = testService(undefined, { wrap: (store) => recordingStore(store, { plans }) });
    const client = tested.as("tolerant");
    await client.post("User", START);
    await client.patch("User", "id-1", [...EIGHT, TENTH]);
    expect(plans).toHaveLength(2);
    expect(await client.resource("User", "id-1")).toMatchObject({
      title: "x",
      nickName: "x",
      name: { familyName: "J", middleName: "x" },
      emails: [
        { value: "x", type: "work", primary: false },
        { value: "c", primary: true },
      ],
      roles: [{ value: "r", type: "x", primary: true }],
    });
  });

  test("a Group's members stay when a later operation fails", async () => {
    const client = testService().as();
    const created = await client.post("Group", group({ members: [{ value: "u1" }] }));
    for (const first of [
      { op: "add", path: "members", value: [{ value: "u2" }] },
      { op: "remove", path: "members" },
      { op: "replace", path: "members", value: [] },
    ]) {
      const refused = refusal(client.patch("Group", "id-1", [first, { op: "remove", path: "displayName" }]));
      expect((await refused).answer).toBe("400 mutability");
      expect(await client.get("Group", "id-1")).toEqual(created);
    }
  });
});

describe("R7644-3.5.2-11 the whole body is checked before the first operation", () => {
  const good = { op: "replace", path: "title", value: "x" };
  const ROWS: readonly (readonly [string, JsonValue, string])[] = [
    ["R7644-3.5.2-04 an unknown op", [good, { op: "move", path: "title", value: "x" }], "400 invalidSyntax"],
    ["no op", [good, { path: "title", value: "x" }], "400 invalidSyntax"],
    ["an operation that is no object", [good, "x"], "400 invalidSyntax"],
    ["R7644-3.5.2-03 one that is no list", good, "400 invalidSyntax"],
    ["R7644-3.5.2-07 a path that is no text", [good, { op: "add", path: 5, value: "x" }], "400 invalidPath"],
    ["R7644-3.5.2-07 an empty path", [good, { op: "add", path: "", value: "x" }], "400 invalidPath"],
    ["R7644-3.5.2-08 add without value", [good, { op: "add", path: "title" }], "400 invalidValue"],
    ["R7644-3.5.2.2-01 remove without path", [good, { op: "remove" }], "400 noTarget"],
    [
      "R7644-3.5.2.1-01 a pathless value that is no object",
      [good, { op: "add", value: "x" }],
      "400 invalidValue",
    ],
  ];

  test.each(ROWS)("%s", async (_name, operations, answer) => {
    const client = testService().as("tolerant");
    const created = await client.post("User", START);
    expect((await refusal(client.patch("User", "id-1", operations))).answer).toBe(answer);
    expect(await client.get("User", "id-1")).toEqual(created);
  });

  test.each([[null], [[]], ["x"], [{}], [{ Operations: null }]])("a body %j", async (body) => {
    const tested = testService();
    await tested.as().post("User", START);
    for (const profile of ["strict", "tolerant"] as const) {
      const request = { ...PLAIN, type: "User", id: "id-1", body };
      const refused = await refusal(tested.service.patch(tested.context(profile), request));
      expect(refused.answer).toBe("400 invalidSyntax");
    }
  });

  const inTwoSpellings = { department: "x", DEPARTMENT: "y" };
  const twice: readonly (readonly [string, JsonValue])[] = [
    ["op", { ...good, OP: "remove" }],
    ["path", { ...good, Path: "displayName" }],
    ["value", { ...good, VALUE: "y" }],
    ["an attribute", { op: "replace", value: { title: "x", TITLE: "y" } }],
    ["a part of one", { op: "add", value: { "name.givenName": "x", "NAME.givenName": "y" } }],
    ["within a value", { op: "replace", path: "name", value: { givenName: "x", GIVENNAME: "y" } }],
    ["within an extension", { op: "add", path: ENTERPRISE_USER_URN, value: inTwoSpellings }],
    [
      "within an extension, without path",
      { op: "replace", value: { [ENTERPRISE_USER_URN]: inTwoSpellings } },
    ],
    ["within a value to remove", { op: "remove", path: "emails", value: [{ value: "a", VALUE: "b" }] }],
  ];
  test.each(twice)(
    "%s that is given twice, spelled in two ways, is refused, and nothing is done",
    async (_what, operation) => {
      for (const profile of ["strict", "tolerant"] as const) {
        const client = testService().as(profile);
        const created = await client.post("User", START);
        const refused = await refusal(client.patch("User", "id-1", [good, operation]));
        expect(refused).toMatchObject({
          answer: "400 invalidSyntax",
          detail: expect.stringContaining("Operations[1]"),
        });
        expect(await client.get("User", "id-1")).toEqual(created);
      }
    },
  );

  test("the id of a member to remove that is given twice, spelled in two ways, is refused", async () => {
    const client = testService().as();
    await client.post("Group", group({ displayName: "x", members: [{ value: "a" }, { value: "b" }] }));
    const before = await client.get("Group", "id-1");
    const operation = { op: "remove", path: "members", value: [{ value: "a", VALUE: "b" }] };
    const refused = await refusal(client.patch("Group", "id-1", [operation]));
    expect(refused).toMatchObject({
      answer: "400 invalidSyntax",
      detail: expect.stringContaining("Operations[0]"),
    });
    expect(await client.get("Group", "id-1")).toEqual(before);
  });

  test("a path with values that is given twice is told without them", async () => {
    const client = testService().as();
    await client.post("User", START);
    const value = {
      'emails[value eq "a@b.example"].type': "work",
      'EMAILS[value eq "a@b.example"].type': "home",
    };
    const { answer, detail } = await refusal(client.patch("User", "id-1", [{ op: "add", value }]));
    expect([answer, detail]).toEqual(["400 invalidSyntax", expect.not.stringContaining("a@b")]);
  });

  test("the list of operations that is given twice, spelled in two ways, is refused", async () => {
    const tested = testService();
    const created = await tested.as().post("User", START);
    for (const more of [{ operations: [] }, { Schemas: [] }]) {
      const request = { ...PLAIN, type: "User", id: "id-1", body: { ...patchBody([good]), ...more } };
      const refused = await refusal(tested.service.patch(tested.context(), request));
      expect(refused.answer).toBe("400 invalidSyntax");
    }
    expect(await tested.as().get("User", "id-1")).toEqual(created);
  });

  test("a path is the text of the operation, not a name of our own", async () => {
    const client = testService().as("tolerant");
    await client.post("User", START);
    await client.patch("User", "id-1", [{ op: "add", value: { title: "x" } }]);
    for (const path of ["key title", "path title", " title", "title ", "/title", "$.title", "emails[0]"]) {
      const refused = await refusal(client.patch("User", "id-1", [{ op: "add", path, value: "x" }]));
      expect([path, refused.answer]).toEqual([path, "400 invalidPath"]);
    }
  });

  test("an unknown resource is 404, whatever the operations would do", async () => {
    const body = patchBody([{ op: "remove", path: "userName" }]);
    const tested = testService();
    const request = { ...PLAIN, type: "User", id: "id-9", body };
    expect((await refusal(tested.service.patch(tested.context(), request))).answer).toBe("404");
  });
});

describe("what a PATCH leaves alone", () => {
  test("a strict client changes one attribute of a resource that a tolerant one made", async () => {
    const tested = testService();
    const emails = [{ value: "a", type: "yacht" }];
    await tested.as("tolerant").post("User", user({ emails }));
    const after = await tested
      .as("strict")
      .patched("User", "id-1", [{ op: "replace", path: "active", value: false }]);
    expect(after).toMatchObject({ active: false, emails });
  });

  test("tolerances of values that a request does not touch are not told", async () => {
    const tested = testService();
    const client = tested.as("tolerant");
    await client.post("User", user({ emails: [{ value: "a", type: "yacht" }] }));
    tested.fired.splice(0);
    await client.patch("User", "id-1", [{ op: "replace", path: "active", value: false }]);
    expect(tested.fired).toEqual([]);
  });

  test("R7644-3.5.2-30 what changes nothing keeps version and lastModified", async () => {
    const client = testService().as("tolerant");
    const created = await client.post("User", START);
    for (const operation of [
      { op: "replace", path: "title", value: "Guide" },
      { op: "add", path: "emails", value: [{ value: "b", type: "home" }] },
      { op: "remove", path: "nickName" },
      { op: "remove", path: 'emails[type eq "fax"]' },
      { op: "add", path: "title", value: null },
      { op: "add", value: {} },
    ]) {
      expect(await client.patch("User", "id-1", [operation])).toEqual(created);
    }
    const there = { op: "replace", path: "title", value: "x" };
    const back = { op: "replace", path: "title", value: "Guide" };
    expect(await client.patch("User", "id-1", [there, back])).toEqual(created);
  });
});
