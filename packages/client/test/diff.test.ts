import { createScimClient, diffResources, GROUP, USER } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import { ENTERPRISE_USER_URN, type JsonObject, type PatchOperation } from "@scim/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aService, TOKEN } from "./support/service.ts";

const client = createScimClient({
  baseUrl: "https://id.example/scim/v2",
  auth: TOKEN,
  transport: createInProcessTransport(aService({ limits: { answerReferences: 10_000 } })),
});

const work = { type: "work", value: "a@x.org" };
const home = { type: "home", value: "b@x.org", primary: true };
const ENTERPRISE_MANAGER = `${ENTERPRISE_USER_URN}:manager`;

describe("the smallest PATCH", () => {
  test.each<readonly [string, JsonObject, JsonObject, readonly PatchOperation[]]>([
    ["of nothing", { title: "x", emails: [] }, { title: "x", groups: [] }, []],
    ["of one value", { title: "x" }, { title: "y" }, [{ op: "replace", path: "title", value: "y" }]],
    ["of one that comes", {}, { active: false }, [{ op: "add", path: "active", value: false }]],
    ["of one that goes", { title: "x" }, {}, [{ op: "remove", path: "title" }]],
    [
      "of a sub-attribute",
      { name: { givenName: "A", familyName: "B" } },
      { name: { givenName: "A", familyName: "C" } },
      [{ op: "replace", path: "name.familyName", value: "C" }],
    ],
    [
      "of an extension",
      { [ENTERPRISE_USER_URN]: { department: "A", manager: { value: "1", displayName: "M" } } },
      { [ENTERPRISE_USER_URN]: { department: "A", manager: { value: "2" } } },
      [{ op: "replace", path: `${ENTERPRISE_MANAGER}.value`, value: "2" }],
    ],
    ["of what is readOnly", { id: "1", groups: [{ value: "g" }], meta: {} }, { id: "2", schemas: ["x"] }, []],
    [
      "of a value that is added",
      { emails: [home] },
      { emails: [home, work] },
      [{ op: "add", path: "emails", value: [work] }],
    ],
    [
      "of a value among others",
      { emails: [work, home] },
      { emails: [{ ...work, value: "c@x.org" }, home] },
      [{ op: "replace", path: 'emails[type eq "work"].value', value: "c@x.org" }],
    ],
    [
      "of a sub-attribute of a value",
      { emails: [work, home] },
      { emails: [{ ...work, display: "A" }, home] },
      [{ op: "add", path: 'emails[value eq "a@x.org"].display', value: "A" }],
    ],
    [
      "of an order",
      { roles: [{ value: "b" }, { value: "a" }] },
      { roles: [{ value: "a" }, { value: "b" }] },
      [{ op: "replace", path: "roles", value: [{ value: "a" }, { value: "b" }] }],
    ],
  ])("%s", (_what, before, after, operations) => {
    expect(diffResources({ userName: "a", ...before }, { userName: "a", ...after }, USER)).toEqual(
      operations,
    );
  });

  test("of members names those that come and go, in any order", () => {
    const members = Array.from({ length: 100 }, (_, n) => ({ value: `m${n}`, type: "User" }));
    const [first, ...rest] = members;
    const after = [...rest.toReversed(), { value: "new" }];
    expect(diffResources({ displayName: "g", members }, { displayName: "g", members: after }, GROUP)).toEqual(
      [
        { op: "remove", path: `members[value eq "${first?.value}"]` },
        { op: "add", path: "members", value: [{ value: "new" }] },
      ],
    );
  });
});

const text = fc.constantFrom("a", "b", "C", "c", 'q"\\', "ß", "Ａ", "A", " ");
const type = fc.constantFrom("work", "home", "other", "Work");
const plural = fc
  .uniqueArray(
    fc.record({ value: text, type, display: text }, { requiredKeys: [] }).filter((value) => "value" in value),
    { maxLength: 5, selector: (value) => JSON.stringify([value.value, value.type]) },
  )
  .chain((values) =>
    fc
      .option(fc.nat(4))
      .map((at) => values.map((value, n) => (n === at ? { ...value, primary: true } : value))),
  );
const complex = fc.record({ givenName: text, familyName: text, middleName: text }, { requiredKeys: [] });
const user = fc.record(
  {
    title: text,
    active: fc.boolean(),
    name: complex,
    emails: plural,
    roles: plural,
    [ENTERPRISE_USER_URN]: fc.record(
      { department: text, manager: fc.record({ value: fc.constantFrom("1", "2") }) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

test("the difference of two users, applied by a service to the one, gives the other", async () => {
  const [one, other] = await Promise.all([
    client.users.create({ userName: "one" }),
    client.users.create({ userName: "one-other" }),
  ]);
  await fc.assert(
    fc.asyncProperty(user, user, async (from, to) => {
      // The service brings both into its normal form.
      const before = await client.users.replace(one.id, { ...from, userName: "one" });
      const after = await client.users.replace(other.id, { ...to, userName: "one-other" });
      const wanted = { ...after, userName: "one" };
      const operations = diffResources(before, wanted, USER);
      const patched = operations.length === 0 ? before : await client.users.patch(before, operations);
      const { id: _id, meta: _meta, ...found } = patched ?? {};
      const { id: _other, meta: _otherMeta, ...expected } = wanted;
      expect([operations, found]).toEqual([operations, expected]);
      expect(diffResources(patched ?? {}, wanted, USER)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("the difference of two groups, applied by a service to the one, gives the other", async () => {
  const { id } = await client.groups.create({ displayName: "g" });
  const members = fc.uniqueArray(
    fc.constantFrom("a", "b", "c", "d", "A").map((value) => ({ value })),
    {
      selector: ({ value }) => value,
    },
  );
  await fc.assert(
    fc.asyncProperty(members, members, async (from, to) => {
      const before = await client.groups.replace(id, { displayName: "g", members: from });
      const operations = diffResources(before, { ...before, members: to }, GROUP);
      const patched = operations.length === 0 ? before : await client.groups.patch(before, operations);
      const values = (list: readonly { readonly value: string }[] = []) =>
        list.map(({ value }) => value).toSorted();
      expect(values(patched?.members)).toEqual(values(to));
    }),
    { numRuns: 30 },
  );
});

test("the difference of two large groups takes no longer than it must", () => {
  const members = (from: number) =>
    Array.from({ length: 20_000 }, (_, n) => ({ value: `member-${from + n}` }));
  const group = (from: number) => ({ displayName: "g", members: members(from) });
  expect(diffResources(group(0), group(2), GROUP)).toHaveLength(3);
});
