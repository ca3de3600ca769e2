import type { SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { createProfile, PROFILES } from "../../src/index.ts";
import { group, user } from "../support/bodies.ts";
import { refusal } from "../support/refusal.ts";
import { testService } from "../support/service.ts";
import { bindTestExtension, extended, TEST_URN } from "../support/test-extension.ts";

describe("R7643-4.1-01 userName is unique over the users of a tenant", () => {
  const SAME: readonly (readonly [string, string, string])[] = [
    ["the same", "bjensen", "bjensen"],
    ["another letter case", "bjensen", "BJensen"],
    ["R8265-3.3-01 composed and decomposed", "Jos\u00e9", "Jose\u0301"],
    ["R8265-3.3-01 full width", "alice", "\uff21lice"],
    ["half width", "\u30ab", "\uff76"],
    ["R7644-5-03 letter case beyond ASCII", "\u00c9LAN", "\u00e9lan"],
    ["Greek final sigma is folded alone", "\u03a3", "\u03c3"],
  ];
  const OTHER: readonly (readonly [string, string, string])[] = [
    ["another name", "bjensen", "bjensen2"],
    ["no folding of \u00df", "Stra\u00dfe", "STRASSE"],
    ["a space is kept", "bjensen", "b jensen"],
    ["accents count", "jose", "jos\u00e9"],
  ];

  test.each(SAME)("%s: 409", async (_name, first, second) => {
    const client = testService().as();
    const { resource } = await client.post("User", user({ userName: first }));
    expect(resource["userName"]).toBe(first);
    const refused = await refusal(client.post("User", user({ userName: second })));
    expect(refused.answer).toBe("409 uniqueness");
    expect(refused.detail).toContain("'userName'");
    expect(refused.detail).not.toContain(second);
  });

  test.each(OTHER)("%s: accepted", async (_name, first, second) => {
    const client = testService().as();
    await client.post("User", user({ userName: first }));
    expect((await client.post("User", user({ userName: second }))).resource["userName"]).toBe(second);
  });

  test("over all connections, not over tenants", async () => {
    const tested = testService();
    await tested.as("strict", { connection: "okta" }).post("User", user());
    const other = tested.as("strict", { connection: "entra" });
    expect((await refusal(other.post("User", user()))).answer).toBe("409 uniqueness");
    await tested.as("strict", { tenant: "another" }).post("User", user());
  });

  test("R7644-3.5.1-12 PUT and PATCH: another's value is 409, one's own is none", async () => {
    const client = testService().as();
    await client.post("User", user({ userName: "a" }));
    await client.post("User", user({ userName: "b" }));
    const taken = { op: "replace", path: "userName", value: "A" };
    expect((await refusal(client.patch("User", "id-2", [taken]))).answer).toBe("409 uniqueness");
    expect((await refusal(client.put("User", "id-2", user({ userName: "A" })))).answer).toBe(
      "409 uniqueness",
    );
    expect((await client.resource("User", "id-2"))["userName"]).toBe("b");
    expect((await client.patched("User", "id-1", [taken]))["userName"]).toBe("A");
    expect((await client.put("User", "id-1", user({ userName: "a" }))).resource["userName"]).toBe("a");
  });

  test("R7644-3.5.2-31, A-P-18 a clash half-way through a PATCH and not at its end is none", async () => {
    const client = testService().as();
    await client.post("User", user({ userName: "a" }));
    await client.post("User", user({ userName: "b" }));
    const patched = await client.patched("User", "id-2", [
      { op: "replace", path: "userName", value: "a" },
      { op: "replace", path: "userName", value: "c" },
    ]);
    expect(patched["userName"]).toBe("c");
  });

  test("a value that was given up is free", async () => {
    const client = testService().as();
    await client.post("User", user({ userName: "a" }));
    await client.put("User", "id-1", user({ userName: "b" }));
    expect((await client.post("User", user({ userName: "a" }))).resource["id"]).toBe("id-2");
  });
});

describe("R7643-7-06, A-UNQ-01 any attribute with a uniqueness", () => {
  test("of an extension, caseExact true", async () => {
    const client = testService(bindTestExtension()).as();
    await client.post("User", user({ userName: "a", ...extended({ serial: "X1" }) }));
    await client.post("User", user({ userName: "b", ...extended({ serial: "x1" }) }));
    const refused = await refusal(
      client.post("User", user({ userName: "c", ...extended({ serial: "X1" }) })),
    );
    expect(refused.answer).toBe("409 uniqueness");
    expect(refused.detail).toContain(`'${TEST_URN}:serial'`);
  });

  function addTags(registry: SchemaRegistry): void {
    for (const name of ["Badge", "Key"]) {
      const schema = `urn:example:${name}`;
      registry.addSchema({
        id: schema,
        name,
        attributes: [
          { name: "tag", type: "string", uniqueness: "global" },
          { name: "label", type: "string", uniqueness: "server" },
        ],
      });
      registry.addResourceType({ name, endpoint: `/${name}s`, schema });
    }
  }

  test("global: over all types of a tenant; server: over one type", async () => {
    const tested = testService(addTags);
    const client = tested.as();
    await client.post("Badge", { schemas: ["urn:example:Badge"], tag: "t", label: "l" });
    const key = { schemas: ["urn:example:Key"] };
    await client.post("Key", { ...key, label: "l" });
    expect((await refusal(client.post("Key", { ...key, tag: "T" }))).answer).toBe("409 uniqueness");
    await tested.as("strict", { tenant: "another" }).post("Key", { ...key, tag: "t" });
  });
});

describe("group-name-unique", () => {
  const name = "Tour Guides";
  const renamed = { op: "replace", path: "displayName", value: "Other" };
  const member = { op: "add", path: "members", value: [{ value: "u1" }] };

  test.each([
    ["tolerant", "409 uniqueness"],
    ["entra", "409 uniqueness"],
    ["okta", "409 uniqueness"],
  ] as const)("%s: a second group of one name is refused", async (profile, answer) => {
    const client = testService().as(profile);
    await client.post("Group", group());
    expect((await refusal(client.post("Group", group({ displayName: name.toUpperCase() })))).answer).toBe(
      answer,
    );
  });

  test("strict accepts it", async () => {
    const client = testService().as("strict");
    await client.post("Group", group());
    expect((await client.post("Group", group())).resource["id"]).toBe("id-2");
  });

  test("it holds among the groups that one connection created", async () => {
    const tested = testService();
    const [okta, entra] = ["okta", "entra"].map((connection) => tested.as("tolerant", { connection }));
    await okta?.post("Group", group());
    expect((await entra?.post("Group", group()))?.resource["id"]).toBe("id-2");
    expect((await refusal(entra?.post("Group", group()) ?? Promise.resolve())).answer).toBe("409 uniqueness");
  });

  test("it is kept when another connection changes the group: a rename clashes with the creator's groups", async () => {
    const tested = testService();
    const okta = tested.as("tolerant", { connection: "okta" });
    const entra = tested.as("tolerant", { connection: "entra" });
    await okta.post("Group", group());
    await okta.post("Group", group({ displayName: "Other" }));
    expect((await refusal(entra.patch("Group", "id-1", [renamed]))).answer).toBe("409 uniqueness");
  });

  test("a rename by a strict connection frees the name, and takes none", async () => {
    const tested = testService();
    const client = tested.as("tolerant");
    await client.post("Group", group());
    await tested.as("strict").patch("Group", "id-1", [renamed]);
    expect((await client.post("Group", group())).resource["id"]).toBe("id-2");
    expect((await client.post("Group", group({ displayName: "Other" }))).resource["id"]).toBe("id-3");
  });

  test("a strict connection that changes something else leaves the name taken", async () => {
    const tested = testService();
    const client = tested.as("tolerant");
    await client.post("Group", group());
    await tested.as("strict").patch("Group", "id-1", [member]);
    await tested.as("strict").put("Group", "id-1", group({ externalId: "x" }));
    expect((await refusal(client.post("Group", group()))).answer).toBe("409 uniqueness");
  });

  test("a rename frees the name of its own group alone", async () => {
    const tested = testService();
    const client = tested.as("tolerant");
    await tested.as("strict").post("Group", group());
    await client.post("Group", group());
    await client.patch("Group", "id-1", [renamed]);
    expect((await refusal(client.post("Group", group()))).answer).toBe("409 uniqueness");
  });

  test("deleting the group frees the name", async () => {
    const client = testService().as("tolerant");
    await client.post("Group", group());
    await client.delete("Group", "id-1");
    expect((await client.post("Group", group())).resource["id"]).toBe("id-2");
  });

  test("a profile of one's own may leave it out", async () => {
    const switches = [...PROFILES.tolerant.switches].filter((each) => each !== "group-name-unique");
    const client = testService().as(createProfile("no-group-names", switches));
    await client.post("Group", group());
    expect((await client.post("Group", group())).resource["id"]).toBe("id-2");
  });
});
