import { ENTERPRISE_USER_URN, USER_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createProfile, PROFILES, type SwitchName } from "../../src/index.ts";
import { resourceOf } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";

const NONE = { ifMatch: null, ifNoneMatch: null };

const MANAGED = {
  schemas: [USER_URN, ENTERPRISE_USER_URN],
  userName: "bjensen",
  name: { givenName: "Barbara", familyName: "Jensen" },
  emails: [{ type: "work", value: "b@example.com" }],
  [ENTERPRISE_USER_URN]: { manager: { value: "m1" } },
};

async function patched(switches: readonly SwitchName[] | "ietf-interop", operation: JsonObject) {
  const tested = testService();
  const { resource } = await tested.as("strict").post("User", MANAGED);
  const profile = switches === "ietf-interop" ? switches : createProfile("alone", switches);
  return tested.as(profile).patched("User", String(resource["id"]), [operation]);
}

describe("what draft-zollner-scim-interop-profile-01 has a service refuse", () => {
  test.each<readonly [SwitchName, string, JsonObject, string, string]>([
    [
      "patch-path-required",
      "add without path",
      { op: "add", value: { title: "Dr" } },
      "400 invalidSyntax",
      "",
    ],
    [
      "patch-path-required",
      "replace with null as path",
      { op: "replace", path: null, value: { title: "Dr" } },
      "400 invalidSyntax",
      "",
    ],
    ["patch-path-required", "remove without path", { op: "remove" }, "400 invalidSyntax", "400 noTarget"],
    [
      "value-path-sub-attribute",
      "replace of a selected value",
      { op: "replace", path: 'emails[type eq "work"]', value: { value: "c@example.com" } },
      "400 invalidPath",
      "",
    ],
    [
      "value-path-sub-attribute",
      "add to a selected value",
      { op: "add", path: 'emails[type eq "work"]', value: { display: "B" } },
      "400 invalidPath",
      "",
    ],
    [
      "value-path-sub-attribute",
      "add that would create one",
      { op: "add", path: 'emails[type eq "home"]', value: { value: "h@example.com" } },
      "400 invalidPath",
      "",
    ],
    [
      "unknown-invalid-syntax",
      "an unknown path",
      { op: "add", path: "shoeSize", value: 43 },
      "400 invalidSyntax",
      "400 invalidPath",
    ],
    [
      "unknown-invalid-syntax",
      "an unknown sub-attribute in a path",
      { op: "add", path: "name.nick", value: "B" },
      "400 invalidSyntax",
      "400 invalidPath",
    ],
    [
      "unknown-invalid-syntax",
      "an unknown member of a value",
      { op: "add", path: "name", value: { nick: "B" } },
      "400 invalidSyntax",
      "400 invalidValue",
    ],
  ])("%s: %s", async (name, _title, operation, refused, otherwise) => {
    expect((await refusal(patched([name], operation))).answer).toBe(refused);
    expect((await refusal(patched("ietf-interop", operation))).answer).toBe(refused);
    const without = patched([], operation);
    if (otherwise === "") await expect(without).resolves.toBeDefined();
    else expect((await refusal(without)).answer).toBe(otherwise);
  });

  test("a selected value is still removed as a whole: nothing else removes it", async () => {
    const after = await patched("ietf-interop", { op: "remove", path: 'emails[type eq "work"]' });
    expect(after).not.toHaveProperty("emails");
  });

  test("a sub-attribute of a selected value is set", async () => {
    const operation = { op: "replace", path: 'emails[type eq "work"].value', value: "c@example.com" };
    expect((await patched("ietf-interop", operation))["emails"]).toEqual([
      { type: "work", value: "c@example.com" },
    ]);
  });

  test("unknown attributes of a POST, and unknown schemas", async () => {
    const client = testService().as("ietf-interop");
    expect((await refusal(client.post("User", { ...MANAGED, shoeSize: 43 }))).answer).toBe(
      "400 invalidSyntax",
    );
    const schemas = [...MANAGED.schemas, "urn:example:unknown"];
    expect((await refusal(client.post("User", { ...MANAGED, schemas }))).answer).toBe("400 invalidSyntax");
  });

  test("a greater count than the service allows is cut", async () => {
    const client = testService(undefined, { limits: { maxResults: 100 } }).as("ietf-interop");
    await expect(client.list("User", { count: 5000 })).resolves.toMatchObject({ totalResults: 0 });
  });
});

describe("replace-whole-complex", () => {
  const rename = { op: "replace", path: "name", value: { familyName: "Smith" } };

  test("a replace leaves nothing of the former value", async () => {
    expect((await patched(["replace-whole-complex"], rename))["name"]).toEqual({ familyName: "Smith" });
    expect((await patched("ietf-interop", rename))["name"]).toEqual({ familyName: "Smith" });
  });

  test("R7644-3.5.2.3-04 without it, and for add, the others stay", async () => {
    const merged = { givenName: "Barbara", familyName: "Smith" };
    expect((await patched([], rename))["name"]).toEqual(merged);
    expect((await patched("ietf-interop", { ...rename, op: "add" }))["name"]).toEqual(merged);
  });

  test("a replace of a sub-attribute touches no other", async () => {
    const operation = { op: "replace", path: "name.familyName", value: "Smith" };
    expect((await patched("ietf-interop", operation))["name"]).toEqual({
      givenName: "Barbara",
      familyName: "Smith",
    });
  });

  test("a reference in an extension is replaced too", async () => {
    const path = `${ENTERPRISE_USER_URN}:manager`;
    const after = await patched("ietf-interop", { op: "replace", path, value: { value: "m2" } });
    expect(after[ENTERPRISE_USER_URN]).toMatchObject({ manager: { value: "m2" } });
  });
});

describe("ServiceProviderConfig.interopProfileConformant", () => {
  const claim = async (
    profile: Parameters<ReturnType<typeof testService>["context"]>[0],
    maxResults = 1000,
  ) => {
    const tested = testService(undefined, { limits: { maxResults } });
    const config = await tested.service.serviceProviderConfig(tested.context(profile), NONE);
    return resourceOf(config)["interopProfileConformant"];
  };

  test("true for the profile, and missing for all others", async () => {
    const claims: string[] = [];
    for (const [name, profile] of Object.entries(PROFILES)) {
      if ((await claim(profile)) === true) claims.push(name);
    }
    expect(claims).toEqual(["ietf-interop", "ietf-interop@2026-11"]);
    expect(await claim("strict")).toBeUndefined();
  });

  test("missing where a switch of it is off, a page is too small, or unknown attributes are dropped", async () => {
    const switches = [...PROFILES["ietf-interop"].switches];
    expect(await claim(createProfile("more", [...switches, "unknown-attributes"]))).toBeUndefined();
    expect(await claim(createProfile("less", switches.slice(1)))).toBeUndefined();
    expect(await claim("ietf-interop", 99)).toBeUndefined();
    expect(await claim(createProfile("plain", [...switches, "plain-answers"]))).toBeUndefined();
  });
});
