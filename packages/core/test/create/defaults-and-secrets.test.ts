import { USER_RESOURCE_TYPE, USER_URN, type JsonObject, type SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ResourceStore, WritePlan } from "../../src/index.ts";
import { ownValues, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { recordingStore } from "../support/store-wrappers.ts";
import { bindTestExtension, extended, extendedValue, TEST_URN } from "../support/test-extension.ts";

describe("defaults by annotation, and none other", () => {
  function withActive(registry: SchemaRegistry): void {
    const annotations = { ...USER_RESOURCE_TYPE.annotations, active: { default: true } };
    registry.addResourceType({ ...USER_RESOURCE_TYPE, annotations });
  }

  test("without annotation nothing is added", async () => {
    const { resource } = await testService().as().post("User", user());
    expect(ownValues(resource)).toEqual({ userName: "bjensen" });
  });

  test.each<readonly [string, JsonObject, boolean]>([
    ["left out", {}, true],
    ["null", { active: null }, true],
    ["given", { active: false }, false],
  ])("POST: %s", async (_name, sent, active) => {
    const { resource } = await testService(withActive).as().post("User", user(sent));
    expect(resource["active"]).toBe(active);
  });

  test("R7644-3.4.2.2-14 a filter finds the default", async () => {
    const client = testService(withActive).as();
    await client.post("User", user());
    expect(await client.matches("User", "active eq true")).toEqual(["id-1"]);
  });

  test("R7644-3.5.1-04, R7644-3.5.1-05 PUT restores it, also for null; PATCH that removes it does not", async () => {
    const client = testService(withActive).as();
    await client.post("User", user());
    for (const sent of [{}, { active: null }]) {
      await client.put("User", "id-1", user({ active: false }));
      expect((await client.put("User", "id-1", user(sent))).resource["active"]).toBe(true);
    }
    const removed = await client.patched("User", "id-1", [{ op: "remove", path: "active" }]);
    expect(ownValues(removed)).toEqual({ userName: "bjensen" });
  });

  test("of an extension: it makes the extension", async () => {
    const client = testService(bindTestExtension({ code: { default: "none" } })).as();
    const { resource } = await client.post("User", user());
    expect(extendedValue(resource, "code")).toBe("none");
    expect(resource["schemas"]).toEqual([USER_URN, TEST_URN]);
    const given = await client.post("User", user({ userName: "b", ...extended({ code: "x" }) }));
    expect(extendedValue(given.resource, "code")).toBe("x");
  });

  test("of an extension that requires something else: it makes no extension that would not be valid", async () => {
    const urn = "urn:example:params:scim:schemas:extension:acme:1.0:User";
    const client = testService((registry) => {
      registry.addSchema({
        id: urn,
        attributes: [
          { name: "grade", type: "string" },
          { name: "badge", type: "string", required: true },
        ],
      });
      registry.addResourceType(
        {
          ...USER_RESOURCE_TYPE,
          schemaExtensions: [{ schema: urn, required: false }],
          annotations: { [`${urn}:grade`]: { default: "a" } },
        },
        { allowBreaking: true },
      );
    }).as();
    const { resource } = await client.post("User", user());
    expect(ownValues(resource)).toEqual({ userName: "bjensen" });
    const given = await client.post("User", user({ userName: "b", [urn]: { badge: "7" } }));
    expect(given.resource[urn]).toEqual({ badge: "7", grade: "a" });
  });
});

describe("R7643-4.1-02, R7643-9-01, R7644-7-02 secrets are dropped everywhere", () => {
  const SECRET = "s3cret-Passw0rd";
  const PIN = "4711-pin";

  function recorded(): TestService & { readonly plans: readonly WritePlan[] } {
    const plans: WritePlan[] = [];
    const wrap = (store: ResourceStore): ResourceStore => recordingStore(store, { plans });
    return { ...testService(bindTestExtension(), { wrap }), plans };
  }

  const body = user({ password: SECRET, ...extended({ pin: PIN, code: "x" }) });
  const operations = [
    { op: "replace", path: "password", value: SECRET },
    { op: "add", path: `${TEST_URN}:pin`, value: PIN },
    { op: "replace", value: { password: SECRET, ...extended({ pin: PIN }) } },
  ];

  test("from what is stored, told in events, and answered", async () => {
    const tested = recorded();
    const client = tested.as("tolerant");
    const answers: unknown[] = [
      await client.post("User", body),
      await client.post("User", { ...body, userName: "b" }, { attributes: ["password", `${TEST_URN}:pin`] }),
      await client.put("User", "id-1", body),
      await client.patch("User", "id-1", operations),
      await client.patch("User", "id-1", operations, { attributes: ["password"] }),
      await client.get("User", "id-1", { attributes: ["password", `${TEST_URN}:pin`] }),
      await client.list("User", { attributes: ["password"] }),
    ];
    const everything = JSON.stringify([answers, tested.plans, tested.fired]);
    expect(tested.plans).toHaveLength(5);
    expect(everything).not.toContain(SECRET);
    expect(everything).not.toContain(PIN);
  });

  test("an extension whose only value was a secret is none", async () => {
    const client = testService(bindTestExtension()).as();
    const { resource } = await client.post("User", user(extended({ pin: PIN })));
    expect(resource["schemas"]).toEqual([USER_URN]);
    expect(ownValues(resource)).toEqual({ userName: "bjensen" });
  });

  test("R7644-3.14-07, R7644-3.5.1-13, A-PUT-03 setting one is a change, told by its path; leaving it out is none", async () => {
    const tested = recorded();
    const client = tested.as();
    const created = await client.post("User", user());
    const put = await client.put("User", "id-1", user({ password: SECRET }));
    expect(put.version).not.toBe(created.version);
    expect(tested.plans.at(-1)?.event.changed).toEqual(["password"]);
    const again = await client.put("User", "id-1", user());
    expect(again.version).toBe(put.version);
    const patched = await client.patch("User", "id-1", [{ op: "replace", path: "password", value: SECRET }]);
    expect(patched.version).not.toBe(put.version);
    expect(tested.plans.at(-1)?.event.changed).toEqual(["password"]);
  });

  test("R7643-4.1-05, R7644-F-08 no filter and no sort can tell one", async () => {
    const client = testService(bindTestExtension()).as();
    await client.post("User", body);
    for (const filter of [`password eq "${SECRET}"`, `${TEST_URN}:pin sw "4"`, "password ne null"]) {
      expect((await refusal(client.list("User", { filter }))).answer).toBe("400 invalidFilter");
    }
    expect(await client.matches("User", "password pr")).toEqual([]);
    expect((await refusal(client.list("User", { sortBy: "password" }))).answer).toBe("400 invalidValue");
  });

  test("its type is checked all the same", async () => {
    const client = testService().as();
    expect((await refusal(client.post("User", user({ password: 5 })))).answer).toBe("400 invalidValue");
  });
});

describe("secrets within values", () => {
  const URN = "urn:example:Vault";
  const secret = { mutability: "writeOnly", returned: "never" };

  function addVault(registry: SchemaRegistry): void {
    const key = { name: "key", type: "string", ...secret };
    const label = { name: "label", type: "string" };
    registry.addSchema({
      id: URN,
      name: "Vault",
      attributes: [
        { name: "lock", type: "complex", subAttributes: [key, label] },
        { name: "locks", type: "complex", multiValued: true, subAttributes: [key, label] },
        { name: "codes", type: "string", multiValued: true, ...secret },
        { name: "safe", type: "complex", ...secret, subAttributes: [label] },
      ],
    });
    registry.addResourceType({ name: "Vault", endpoint: "/Vaults", schema: URN });
  }

  test.each<readonly [string, JsonObject, JsonObject]>([
    ["beside other values", { lock: { key: "k", label: "a" } }, { lock: { label: "a" } }],
    ["alone", { lock: { key: "k" } }, {}],
    [
      "in lists",
      { locks: [{ key: "k1", label: "a" }, { key: "k2" }, { label: "b" }] },
      { locks: [{ label: "a" }, { label: "b" }] },
    ],
    ["alone in a list", { locks: [{ key: "k1" }] }, {}],
    ["a list of them", { codes: ["k1", "k2"] }, {}],
    ["a complex one", { safe: { label: "k" } }, {}],
  ])("%s", async (_name, sent, kept) => {
    const tested = testService(addVault);
    const client = tested.as();
    const { resource } = await client.post("Vault", { schemas: [URN], ...sent });
    expect(ownValues(resource)).toEqual(kept);
    const select = { collections: [], inverses: [] };
    const stored = await tested.store.read(tested.context(), { type: "Vault", id: "id-1" }, select);
    expect(stored?.body).toEqual(kept);
    expect(await client.resource("Vault", "id-1")).toEqual(resource);
  });
});
