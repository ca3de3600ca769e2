import {
  ENTERPRISE_USER_URN,
  USER_RESOURCE_TYPE,
  USER_URN,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { WritePlan } from "../../src/index.ts";
import { enterprise, group, metaOf, ownValues, user } from "../support/bodies.ts";
import type { TestClient } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";
import { bindTestExtension, extended, extendedValue, TEST_URN } from "../support/test-extension.ts";

describe("what PUT does to values", () => {
  test("R7644-3.5.1-01, R7644-3.2-02 it never creates", async () => {
    const client = testService().as("tolerant");
    expect((await refusal(client.put("User", "id-9", user()))).answer).toBe("404");
    expect((await client.list("User")).totalResults).toBe(0);
  });

  const ROWS: readonly (readonly [string, JsonObject, JsonObject, JsonObject])[] = [
    [
      "R7644-3.5.1-03 given values replace",
      { title: "a", nickName: "b" },
      { title: "c", nickName: "b" },
      { title: "c", nickName: "b" },
    ],
    ["R7644-3.5.1-04 what is left out is cleared", { title: "a", emails: [{ value: "e" }] }, {}, {}],
    [
      "R7644-3.5.1-05 null and [] clear",
      { title: "a", emails: [{ value: "e" }] },
      { title: null, emails: [] },
      {},
    ],
    [
      "a complex value is replaced, not merged",
      { name: { givenName: "B", familyName: "J" } },
      { name: { familyName: "J" } },
      { name: { familyName: "J" } },
    ],
    [
      "a list is replaced",
      { emails: [{ value: "a" }, { value: "b" }] },
      { emails: [{ value: "b" }] },
      { emails: [{ value: "b" }] },
    ],
    ["R7644-3.5.1-14 an extension left out is cleared", enterprise({ department: "Tours" }), {}, {}],
    [
      "a changed extension",
      enterprise({ department: "Tours", division: "x" }),
      enterprise({ division: "y" }),
      enterprise({ division: "y" }),
    ],
  ];

  test.each(ROWS)("%s", async (_name, before, sent, after) => {
    const client = testService().as();
    await client.post("User", user(before));
    const { resource } = await client.put("User", "id-1", user(sent));
    expect(ownValues(resource)).toEqual({ userName: "bjensen", ...after });
    expect(await client.resource("User", "id-1")).toEqual(resource);
  });

  test("R7644-3.5.1-14 schemas follow from the values", async () => {
    const client = testService().as();
    await client.post("User", user(enterprise({ department: "Tours" })));
    const sent = { ...user(), schemas: [USER_URN, ENTERPRISE_USER_URN] };
    expect((await client.put("User", "id-1", sent)).resource["schemas"]).toEqual([USER_URN]);
  });

  test("R7643-3.1-07 id and created stay, lastModified and version move", async () => {
    const client = testService().as();
    const { resource: before } = await client.post("User", user());
    const { resource: after, version } = await client.put("User", "id-1", user({ title: "Guide" }));
    expect(after["id"]).toBe(before["id"]);
    expect(metaOf(after, "created")).toBe(metaOf(before, "created"));
    expect(String(metaOf(after, "lastModified")) > String(metaOf(before, "lastModified"))).toBe(true);
    expect(metaOf(after, "version")).toBe(`W/"${version}"`);
    expect(version).not.toBe(metaOf(before, "version"));
  });

  test("the event tells what changed, and the plan only what moves", async () => {
    const plans: WritePlan[] = [];
    const tested = testService(undefined, { wrap: (store) => recordingStore(store, { plans }) });
    const client = tested.as("strict", { subject: "admin" });
    await client.post("User", user({ title: "a", externalId: "e1", ...enterprise({ department: "x" }) }));
    await client.put("User", "id-1", user({ externalId: "e2", ...enterprise({ department: "x" }) }));
    expect(plans.at(-1)).toMatchObject({
      kind: "update",
      event: { kind: "replaced", subject: "admin", changed: ["title", "externalId"] },
      index: { add: [{ path: "externalId", key: "e2" }], remove: [{ path: "externalId", key: "e1" }] },
      unique: { add: [], remove: [] },
      collections: [],
    });
  });
});

describe("R7644-3.5.1-18 a PUT that changes nothing changes no version", () => {
  const values = {
    name: { givenName: "B", familyName: "J" },
    emails: [{ value: "a", type: "work", primary: true }, { value: "b" }],
    ...enterprise({ department: "Tours", manager: { value: "m1" } }),
  };

  const SAME: readonly (readonly [string, JsonObject])[] = [
    ["the same body", values],
    ["R7643-2.3.8-02 members in another order", { ...values, name: { familyName: "J", givenName: "B" } }],
    ["names in another letter case", { ...values, name: { GIVENNAME: "B", FamilyName: "J" } }],
    [
      "R7643-2.4-03 primary false for none",
      { ...values, emails: [values.emails[0] ?? {}, { value: "b", primary: false }] },
    ],
    ["null values more", { ...values, title: null, phoneNumbers: [] }],
    ["a value twice", { ...values, emails: [...values.emails, { value: "b" }] }],
  ];

  test.each(SAME)("%s", async (_name, sent) => {
    const client = testService().as();
    const created = await client.post("User", user(values));
    expect(await client.put("User", "id-1", user(sent))).toEqual(created);
  });

  const OTHER: readonly (readonly [string, JsonObject])[] = [
    ["a new order of values", { ...values, emails: values.emails.toReversed() }],
    ["A-P-16 a new letter case", { ...values, name: { givenName: "b", familyName: "J" } }],
    [
      "primary true for none",
      {
        ...values,
        emails: [
          { value: "a", type: "work" },
          { value: "b", primary: true },
        ],
      },
    ],
  ];

  test.each(OTHER)("but %s is a change", async (_name, sent) => {
    const client = testService().as();
    const created = await client.post("User", user(values));
    const after = await client.put("User", "id-1", user(sent));
    expect(after.version).not.toBe(created.version);
    expect(ownValues(after.resource)["emails"]).toEqual(sent["emails"]);
  });
});

describe("immutable attributes", () => {
  const grade = { grade: "a" };
  const REFUSED: readonly (readonly [string, JsonObject, JsonObject, string])[] = [
    ["a changed one", { badge: "1" }, { badge: "2" }, "badge"],
    [
      "a changed sub-attribute",
      { profile: { ...grade, note: "1" } },
      { profile: { ...grade, note: "2" } },
      "profile.note",
    ],
    [
      "a changed sub-attribute of the same value of a list",
      { items: [{ value: "x", lock: "1" }] },
      { items: [{ value: "y" }, { value: "x", lock: "2" }] },
      "items.lock",
    ],
    ["a changed list", { slots: [{ value: "a" }] }, { slots: [{ value: "b" }] }, "slots"],
    ["a longer list", { slots: [{ value: "a" }] }, { slots: [{ value: "a" }, { value: "b" }] }, "slots"],
  ];

  test.each(REFUSED)(
    "R7644-3.5.1-06 %s is 400 mutability in every profile",
    async (_name, before, sent, path) => {
      for (const profile of ["strict", "tolerant"] as const) {
        const client = testService(bindTestExtension()).as(profile);
        const created = await client.post("User", user(extended(before)));
        const refused = await refusal(client.put("User", "id-1", user({ title: "x", ...extended(sent) })));
        expect(refused.answer).toBe("400 mutability");
        expect(refused.detail).toContain(`'${TEST_URN}:${path}'`);
        expect(await client.get("User", "id-1")).toEqual(created);
      }
    },
  );

  const KEPT: readonly (readonly [string, JsonObject, JsonValue, JsonObject])[] = [
    ["R7644-3.5.1-06 the same value", { badge: "1" }, { badge: "1" }, { badge: "1" }],
    ["R7644-3.5.1-07 left out: kept", { badge: "1", code: "c" }, { code: "d" }, { badge: "1", code: "d" }],
    ["the extension left out: kept", { badge: "1", code: "c" }, null, { badge: "1" }],
    [
      "R7644-3.5.1-06 without a value yet: set",
      { code: "c" },
      { code: "c", badge: "1" },
      { code: "c", badge: "1" },
    ],
    [
      "of a value that stays",
      { items: [{ value: "x", lock: "1" }] },
      { items: [{ value: "x", qty: 2 }] },
      { items: [{ value: "x", qty: 2, lock: "1" }] },
    ],
    [
      "of a value that goes",
      { items: [{ value: "x", lock: "1" }] },
      { items: [{ value: "y" }] },
      { items: [{ value: "y" }] },
    ],
  ];

  test.each(KEPT)("%s", async (_name, before, sent, after) => {
    const client = testService(bindTestExtension()).as();
    await client.post("User", user(extended(before)));
    const { resource } = await client.put("User", "id-1", user(extended(sent)));
    expect(resource[TEST_URN]).toEqual(after);
  });
});

describe("R7644-3.5.1-08 readOnly values in the body never change anything", () => {
  const ROWS: readonly (readonly [string, JsonObject, string, string])[] = [
    ["meta that differs", { meta: { created: "2000-01-01T00:00:00Z", version: "x" } }, "kept", "kept"],
    ["groups that differ", { groups: [{ value: "g9" }] }, "kept", "kept"],
    ["R7644-3.5.1-09 the same id", { id: "id-1" }, "kept", "kept"],
    ["R7644-3.5.1-09 another id", { id: "other" }, "400 mutability", "kept"],
    ["an extension's value", extended({ quota: 7 }), "400 mutability", "kept"],
    [
      "R7644-3.5.1-08 manager.displayName",
      enterprise({ manager: { value: "m1", displayName: "x" } }),
      "kept",
      "kept",
    ],
  ];

  test.each(ROWS)("%s", async (_name, sent, strict, tolerant) => {
    for (const [profile, expected] of [
      ["strict", strict],
      ["tolerant", tolerant],
    ] as const) {
      const client = testService(bindTestExtension()).as(profile);
      const created = await client.post("User", user(enterprise({ manager: { value: "m1" } })));
      const body = user({ ...enterprise({ manager: { value: "m1" } }), ...sent });
      const outcome = await client.put("User", "id-1", body).then(
        () => "kept",
        async (error: unknown) => (await refusal(Promise.reject(error))).answer,
      );
      expect([profile, outcome]).toEqual([profile, expected]);
      expect(await client.get("User", "id-1")).toEqual(created);
    }
  });

  test("a value that the service holds is kept when it is left out, and may be sent back", async () => {
    const tested = testService(bindTestExtension());
    const client = tested.as("strict");
    await client.post("User", user());
    const before = await tested.store.read(
      tested.context(),
      { type: "User", id: "id-1" },
      { collections: [], inverses: [] },
    );
    await tested.store.write(tested.context(), {
      kind: "update",
      type: "User",
      id: "id-1",
      at: "2026-01-01T00:00:02.000Z",
      nonce: "operator",
      expectedVersion: before?.version ?? "",
      body: { userName: "bjensen", [TEST_URN]: { quota: 7 } },
      index: { add: [], remove: [] },
      unique: { add: [], remove: [] },
      collections: [],
      event: { kind: "replaced", subject: null, changed: [] },
    });
    for (const sent of [{}, extended({ quota: 7 }), extended({ code: "x" })]) {
      const { resource } = await client.put("User", "id-1", user(sent));
      expect(extendedValue(resource, "quota")).toBe(7);
    }
    const refused = refusal(client.put("User", "id-1", user(extended({ quota: 8 }))));
    expect((await refused).answer).toBe("400 mutability");
  });
});

test("R7644-3.5.1-08 a readOnly part that stays without the rest keeps what the value requires", async () => {
  const LOCKER_URN = "urn:example:params:scim:schemas:extension:locker:2.0:User";
  const tested = testService((registry) => {
    const number: JsonObject = { name: "number", type: "integer", mutability: "readOnly" };
    const floor: JsonObject = { name: "floor", type: "string", required: true };
    const subAttributes = [number, floor, { name: "note", type: "string" }];
    registry.addSchema({ id: LOCKER_URN, attributes: [{ name: "locker", type: "complex", subAttributes }] });
    const schemaExtensions = [{ schema: LOCKER_URN, required: false }];
    registry.addResourceType({ ...USER_RESOURCE_TYPE, schemaExtensions }, { allowBreaking: true });
  });
  const client = tested.as("strict");
  const { version } = await client.post("User", user());
  await tested.store.write(tested.context(), {
    kind: "update",
    type: "User",
    id: "id-1",
    at: "2026-01-01T00:00:02.000Z",
    nonce: "operator",
    expectedVersion: version ?? "",
    body: { userName: "bjensen", [LOCKER_URN]: { locker: { number: 7, floor: "1", note: "n" } } },
    index: { add: [], remove: [] },
    unique: { add: [], remove: [] },
    collections: [],
    event: { kind: "replaced", subject: null, changed: [] },
  });
  const { resource } = await client.put("User", "id-1", user());
  expect(resource[LOCKER_URN]).toEqual({ locker: { number: 7, floor: "1" } });
});

describe("the body is checked as in POST", () => {
  test.each<readonly [string, JsonObject, string]>([
    ["R7644-3.5.1-10 a required attribute left out", { schemas: [USER_URN] }, "400 invalidValue"],
    ["no schemas", { userName: "bjensen" }, "400 invalidSyntax"],
    [
      "R7644-3.5.1-16 two primaries",
      user({
        emails: [
          { value: "a", primary: true },
          { value: "b", primary: true },
        ],
      }),
      "400 invalidValue",
    ],
    ["a wrong type", user({ active: 1 }), "400 invalidValue"],
  ])("%s", async (_name, body, answer) => {
    const client = testService().as("tolerant");
    const created = await client.post("User", user());
    expect((await refusal(client.put("User", "id-1", body))).answer).toBe(answer);
    expect(await client.get("User", "id-1")).toEqual(created);
  });
});

describe("members", () => {
  const [a, b, c] = ["a", "b", "c"].map((value) => ({ value }));
  const members = [a, b, c] as JsonValue;

  test("R7644-3.5.1-15 left out: cleared", async () => {
    const client = testService().as();
    await client.post("Group", group({ members }));
    expect((await client.put("Group", "id-1", group())).resource).not.toHaveProperty("members");
    expect(await client.resource("Group", "id-1")).not.toHaveProperty("members");
  });

  test("a new order alone changes nothing", async () => {
    const client = testService().as();
    const created = await client.post("Group", group({ members }));
    const reordered = [c, a, b] as JsonValue;
    expect(await client.put("Group", "id-1", group({ members: reordered }))).toEqual(created);
  });

  test("the plan holds what comes and goes, no more; the order is that of adding", async () => {
    const plans: WritePlan[] = [];
    const client = testService(undefined, { wrap: (store) => recordingStore(store, { plans }) }).as();
    await client.post("Group", group({ members }));
    const sent = [{ value: "d" }, c, a] as JsonValue;
    const { resource } = await client.put("Group", "id-1", group({ members: sent }));
    expect(plans.at(-1)).toMatchObject({
      body: null,
      collections: [{ path: "members", remove: ["b"], add: [{ value: "d", rest: {} }] }],
      event: { kind: "replaced", changed: ["members"] },
    });
    expect(resource["members"]).toEqual([a, c, { value: "d" }]);
    expect((await client.resource("Group", "id-1"))["members"]).toEqual(resource["members"]);
  });

  describe("R7643-4.2-02 what stands beside the value of a member that stays is immutable", () => {
    const before = [{ value: "b", type: "User", display: "B" }, { value: "c" }] as JsonValue;

    test.each<readonly [string, JsonValue, JsonValue]>([
      ["R7644-3.5.1-07 left out, it is kept", [{ value: "b" }, { value: "c" }], before],
      ["the same is no change", before, before],
      [
        "R7644-3.5.1-06 what there was none of is added",
        [{ value: "b" }, { value: "c", display: "C" }],
        [
          { value: "b", type: "User", display: "B" },
          { value: "c", display: "C" },
        ],
      ],
      ["it goes with the member", [{ value: "c" }], [{ value: "c" }]],
    ])("%s", async (_name, sent, after) => {
      const client = testService().as("strict");
      await client.post("Group", group({ members: before }));
      await client.put("Group", "id-1", group({ members: sent }));
      expect(plain(await client.resource("Group", "id-1"))).toEqual(after);
      await client.patch("Group", "id-1", [{ op: "replace", path: "members", value: sent }]);
      expect(plain(await client.resource("Group", "id-1"))).toEqual(after);
    });

    test.each<readonly [string, JsonValue, string]>([
      ["another display", [{ value: "b", display: "New name" }], "members.display"],
      ["another type", [{ value: "b", type: "Group" }], "members.type"],
    ])("%s: refused in strict, ignored and told in tolerant", async (_name, sent, path) => {
      const tested = testService();
      await tested.as().post("Group", group({ members: before }));
      const changes: ((client: TestClient) => Promise<unknown>)[] = [
        (client) => client.put("Group", "id-1", group({ members: sent })),
        (client) => client.patch("Group", "id-1", [{ op: "replace", path: "members", value: sent }]),
      ];
      for (const change of changes) {
        const refused = await refusal(change(tested.as("strict")));
        expect(refused.answer).toBe("400 mutability");
        expect(refused.detail).toContain(`'${path}' is immutable`);
        expect(refused.detail).not.toContain("New name");
        expect(plain(await tested.as().resource("Group", "id-1"))).toEqual(before);
      }
      await changes[0]?.(tested.as("tolerant"));
      expect(plain(await tested.as().resource("Group", "id-1"))).toEqual([
        { value: "b", type: "User", display: "B" },
      ]);
      expect(tested.fired).toEqual([`ignore-read-only ${path}`]);
    });

    test("removed and added again in one PATCH, a member is another one", async () => {
      const client = testService().as("strict");
      await client.post("Group", group({ members: before }));
      const resource = await client.patched("Group", "id-1", [
        { op: "remove", path: 'members[value eq "b"]' },
        { op: "add", path: "members", value: [{ value: "b", display: "New name" }] },
      ]);
      expect(plain(resource)).toContainEqual({ value: "b", display: "New name" });
    });
  });

  /** The members without the addresses that the service adds. */
  function plain(resource: JsonObject): JsonValue {
    const list = (resource["members"] ?? []) as readonly JsonObject[];
    return list.map(({ $ref: _address, ...rest }) => rest);
  }
});
