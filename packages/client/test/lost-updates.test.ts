/**
 * Updates whose request, or its answer, is lost while somebody else changes the resource.
 * @module
 */
import { defineResourceType, type DynamicResource } from "@scim/client";
import { ENTERPRISE_USER_URN, type JsonObject, type PatchOperation } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { losing } from "./support/losing.ts";
import { aUser, scripted, type Step } from "./support/scripted.ts";

const ROLES = [{ value: "admin" }, { value: "auditor" }];
const EMAILS = [
  { type: "work", value: "a@x.example", display: "A" },
  { type: "home", value: "h@x.example" },
];
const MANAGER = { [ENTERPRISE_USER_URN]: { department: "D", manager: { value: "m1" } } };

interface Row {
  readonly what: string;
  readonly before: JsonObject;
  /** What the update makes of it; undefined for what goes. */
  readonly change: Readonly<Record<string, unknown>>;
}

const CHANGES: readonly Row[] = [
  { what: "sets what was not there", before: {}, change: { title: "Dr" } },
  { what: "sets another value", before: { title: "Ms" }, change: { title: "Dr" } },
  { what: "changes letter case alone", before: { title: "dr" }, change: { title: "Dr" } },
  { what: "sets a boolean", before: { active: true }, change: { active: false } },
  { what: "clears a value", before: { title: "Ms" }, change: { title: undefined } },
  { what: "clears a list", before: { roles: ROLES }, change: { roles: undefined } },
  { what: "removes a value of a list", before: { roles: ROLES }, change: { roles: ROLES.slice(1) } },
  {
    what: "adds a value to a list",
    before: { roles: ROLES },
    change: { roles: [...ROLES, { value: "x", primary: true }] },
  },
  {
    what: "clears a part of a value",
    before: { emails: EMAILS },
    change: { emails: [{ type: "work", value: "a@x.example" }, ...EMAILS.slice(1)] },
  },
  {
    what: "clears a part of a complex value",
    before: { name: { givenName: "A", familyName: "B" } },
    change: { name: { givenName: "A" } },
  },
  {
    what: "changes a reference",
    before: MANAGER,
    change: { [ENTERPRISE_USER_URN]: { department: "D", manager: { value: "m2" } } },
  },
  { what: "clears an extension", before: MANAGER, change: { [ENTERPRISE_USER_URN]: undefined } },
  {
    what: "changes something beside what is never shown",
    before: { title: "Ms" },
    change: { title: "Dr", password: "correct horse" },
  },
];

/** Services may keep no order, so that it tells nothing that it is not the wanted one. */
const ORDER: Row = {
  what: "changes an order",
  before: { roles: ROLES },
  change: { roles: ROLES.toReversed() },
};

const LOCALE: PatchOperation = { op: "add", path: "locale", value: "de" };

describe.each(["patch", "replace"] as const)("by %s, an update that", (by) => {
  test.each(CHANGES)("$what, and was not made, is made again", async ({ before, change }) => {
    const { client, other, lose, reached } = losing();
    const { id } = await client.users.create({ userName: "a", ...before });
    const wanted = await other.users.create({ userName: "b", ...before, ...change, locale: "de" });
    lose("undone", () => other.users.patch(id, [LOCALE]));
    await client.users.update(id, (current) => ({ ...current, ...change }), { by });
    const found = await other.users.get(id);
    expect(plain(found)).toEqual(plain(wanted));
    expect(reached.slice(1)).toEqual([`${verb(by)} 412`, `${verb(by)} 200`]);
  });

  test.each([...CHANGES.filter(({ change }) => !("password" in change)), ORDER])(
    "$what, and was made, is found, and not made again",
    async ({ before, change }) => {
      const { client, other, lose, reached } = losing();
      const { id } = await client.users.create({ userName: "a", ...before });
      lose("done", () => other.users.patch(id, [LOCALE]));
      const result = await client.users.update(id, (current) => ({ ...current, ...change }), { by });
      expect(result).toEqual(await other.users.get(id));
      expect(result.locale).toBe("de");
      expect(reached.slice(1)).toEqual([`${verb(by)} 200`, `${verb(by)} 412`]);
    },
  );

  test.each<readonly [string, JsonObject, Readonly<Record<string, unknown>>, PatchOperation]>([
    [
      "is found neither as it was nor as it was to be",
      { title: "1" },
      { title: "2" },
      { op: "replace", path: "title", value: "3" },
    ],
    [
      "is found with another value more",
      { roles: ROLES },
      { roles: ROLES.slice(1) },
      { op: "add", path: "roles", value: [{ value: "x" }] },
    ],
    ["sets what is never shown", {}, { password: "correct horse" }, LOCALE],
  ])("%s, is unknown, and not made again", async (_what, before, change, meanwhile) => {
    for (const loss of ["done", "undone"] as const) {
      const { client, other, lose, reached } = losing();
      const { id } = await client.users.create({ userName: "a", ...before });
      lose(loss, () => other.users.patch(id, [meanwhile]));
      const update = client.users.update(id, (current) => ({ ...current, ...change }), { by });
      await expect(update).rejects.toMatchObject({ name: "UnknownOutcomeError", code: "unknownOutcome" });
      expect(reached.at(-1)).toBe(`${verb(by)} 412`);
      expect(reached).toHaveLength(loss === "done" ? 3 : 2);
    }
  });

  test("changes an order that is not found is unknown", async () => {
    const { client, other, lose } = losing();
    const { id } = await client.users.create({ userName: "a", ...ORDER.before });
    lose("undone", () => other.users.patch(id, [LOCALE]));
    const update = client.users.update(id, (current) => ({ ...current, ...ORDER.change }), { by });
    await expect(update).rejects.toMatchObject({ code: "unknownOutcome" });
  });

  test.each(["done", "undone"] as const)("removes a member, and is lost %s, removes it", async (loss) => {
    const { client, other, lose } = losing();
    const members = ["a", "b", "c"].map((value) => ({ value, type: "User", display: value }));
    const { id } = await client.groups.create({ displayName: "g", members });
    lose(loss, () => other.groups.patch(id, [{ op: "add", path: "externalId", value: "other" }]));
    await client.groups.update(
      id,
      (current) => ({ ...current, members: current.members?.filter(({ value }) => value !== "a") ?? [] }),
      { by },
    );
    const { members: found, externalId } = await other.groups.get(id);
    expect([found?.map(({ value }) => value), externalId]).toEqual([["b", "c"], "other"]);
  });

  test("is lost each time gives up after its bound", async () => {
    const { client, other, lose } = losing();
    const { id } = await client.users.create({ userName: "a" });
    let changes = 0;
    const loseNext = (): void =>
      lose("undone", () => other.users.patch(id, [{ ...LOCALE, value: `de-${(changes += 1)}` }]));
    const update = client.users.update(
      id,
      (current) => {
        loseNext();
        return { ...current, title: "Dr" };
      },
      { by, attempts: 3 },
    );
    await expect(update).rejects.toMatchObject({
      code: "unknownOutcome",
      cause: { code: "versionMismatch" },
    });
    expect(changes).toBe(3);
  });
});

test("an update of a resource that cannot be read afterwards is unknown", async () => {
  let reads = 0;
  const step: Step = ({ method }) => {
    if (method !== "GET") return { fails: "cutOff" };
    reads += 1;
    return reads === 1 ? { body: aUser() } : { status: 403, body: {} };
  };
  const { client } = scripted([step], { retries: { attempts: 1 } });
  const update = client.users.update("1", (user) => ({ ...user, title: "Dr" }), { by: "patch" });
  await expect(update).rejects.toMatchObject({
    code: "unknownOutcome",
    candidates: ["1"],
    cause: { status: 403 },
  });
});

test("an update that clears what has a part that is never shown is found where the rest is gone", async () => {
  const pin = { name: "pin", type: "string", returned: "never" } as const;
  const floor = { name: "floor", type: "string" } as const;
  const locks = { name: "locks", type: "complex", multiValued: true, subAttributes: [floor, pin] } as const;
  const schema = { id: "urn:example:Device", name: "Device", attributes: [locks] } as const;
  const device = defineResourceType({ name: "Device", endpoint: "/Devices", schema });
  let found: object = { id: "1", locks: [{ floor: "2" }], meta: { version: 'W/"v1"' } };
  const step: Step = ({ method }) => (method === "GET" ? { body: found } : { fails: "cutOff" });
  const { client } = scripted([step], { retries: { attempts: 1 } });
  const update = client.resource(device).update("1", () => {
    found = { id: "1", meta: { version: 'W/"v2"' } };
    return {};
  });
  expect(await update).toEqual(found);
});

test("an update that sets what no schema names is unknown where it is not found", async () => {
  let found = aUser();
  const step: Step = ({ method }) => (method === "GET" ? { body: found } : { fails: "cutOff" });
  const { client } = scripted([step], { retries: { attempts: 1 } });
  const update = (seen: object) =>
    client.users.update(
      "1",
      (user) => {
        found = seen;
        return { ...user, shoeSize: 42 };
      },
      { by: "replace" },
    );
  const meta = { version: 'W/"v2"' };
  await expect(update(aUser({ meta }))).rejects.toMatchObject({ code: "unknownOutcome" });
  found = aUser();
  expect(await update(aUser({ meta, shoeSize: 42 }))).toMatchObject({ shoeSize: 42 });
});

function verb(by: "patch" | "replace"): string {
  return by === "patch" ? "PATCH" : "PUT";
}

/** What a resource holds, whoever it is. */
function plain({ id: _id, meta: _meta, userName: _userName, ...resource }: Partial<DynamicResource>): object {
  return resource;
}
