import { ENTERPRISE_USER_URN, type JsonObject, type JsonValue, type SchemaRegistry } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { ChangeRequest, DryRunAnswer, Precondition, ResourceStore, WritePlan } from "../../src/index.ts";
import { enterprise, group, user } from "../support/bodies.ts";
import { patchBody } from "../support/client.ts";
import { addMemberships, membership } from "../support/memberships.ts";
import { BASE_URL, PLAIN, testService, type TestService } from "../support/service.ts";
import { interceptingStore, recordingStore } from "../support/store-wrappers.ts";
import { addTeams, team } from "../support/teams.ts";
import { bindTestExtension, extended } from "../support/test-extension.ts";

const NONE: Precondition = { ifMatch: null, ifNoneMatch: null };

const create = (type: string, body: JsonValue): ChangeRequest => ({
  operation: "create",
  request: { ...PLAIN, type, body },
});
const replace = (type: string, id: string, body: JsonValue, precondition = NONE): ChangeRequest => ({
  operation: "replace",
  request: { ...PLAIN, type, id, body, precondition },
});
const patch = (type: string, id: string, operations: JsonValue, precondition = NONE): ChangeRequest => ({
  operation: "patch",
  request: { ...PLAIN, type, id, body: patchBody(operations), precondition },
});
const remove = (type: string, id: string, precondition = NONE): ChangeRequest => ({
  operation: "delete",
  request: { type, id, precondition },
});

const ANNA = user({
  userName: "anna",
  title: "Guide",
  name: { givenName: "Anna", familyName: "Lee" },
  emails: [{ value: "a@b.example", type: "work" }],
  ...enterprise({ department: "Tours", manager: { value: "boss" } }),
});
const TEAM = group({ members: [{ value: "id-1", type: "User" }, { value: "two" }] });

/** URN of a type with values that are kept and never returned. */
const VAULT_URN = "urn:example:params:scim:schemas:core:2.0:Vault";

function prepare(registry: SchemaRegistry): void {
  bindTestExtension()(registry);
  const hidden = { name: "code", type: "string", returned: "never" };
  registry.addSchema({
    id: VAULT_URN,
    name: "Vault",
    attributes: [
      hidden,
      {
        name: "door",
        type: "complex",
        multiValued: true,
        subAttributes: [hidden, { name: "value", type: "string" }],
      },
    ],
  });
  registry.addResourceType({ name: "Vault", endpoint: "/Vaults", schema: VAULT_URN });
}

/** A service with the User `id-1`, the Group `id-2` and the User `id-3`, and what its store is asked to write. */
async function started(): Promise<TestService & { readonly plans: WritePlan[] }> {
  const plans: WritePlan[] = [];
  const wrap = (store: ResourceStore): ResourceStore => recordingStore(store, { plans });
  const tested = testService(prepare, { wrap, limits: { answerReferences: 3 } });
  const client = tested.as("tolerant");
  await client.post("User", ANNA);
  await client.post("Group", TEAM);
  await client.post("User", user({ userName: "bert" }));
  plans.length = 0;
  return { ...tested, plans };
}

/** Tries a change out; fails where it leaves a trace. */
async function tryOut(change: ChangeRequest): Promise<DryRunAnswer> {
  const { service, context, as, plans } = await started();
  const everything = async (): Promise<unknown> => [await as().list("User"), await as().list("Group")];
  const before = await everything();
  const answer = await service.dryRun(context("tolerant"), change);
  expect(await everything()).toEqual(before);
  expect(plans).toEqual([]);
  return answer;
}

describe("a change that would be made", () => {
  test("POST: 201, the resource without what only the write decides, all of it new", async () => {
    const answer = await tryOut(
      create("User", user({ userName: "new", active: "True", password: "s3cr3t" })),
    );
    expect(answer).toEqual({
      kind: "dryRun",
      valid: true,
      status: 201,
      resource: {
        schemas: expect.any(Array),
        userName: "new",
        active: true,
        meta: { resourceType: "User" },
      },
      diff: [
        { op: "add", path: "userName", value: "new" },
        { op: "add", path: "active", value: true },
      ],
      error: null,
    });
  });

  test("POST with references: one operation adds them", async () => {
    const answer = await tryOut(create("Group", group({ displayName: "New", members: [{ value: "x" }] })));
    expect(answer.resource).toMatchObject({ members: [{ value: "x" }] });
    expect(answer.diff).toEqual([
      { op: "add", path: "displayName", value: "New" },
      { op: "add", path: "members", value: [{ value: "x" }] },
    ]);
  });

  test("PUT: 200, by top-level attribute or part of one", async () => {
    const body = {
      ...ANNA,
      userName: "anna2",
      title: null,
      nickName: "Ann",
      name: { givenName: "Anne", familyName: "Lee", formatted: "Anne Lee" },
      emails: [{ value: "c@d.example" }],
      ...enterprise({ costCenter: "7", manager: { value: "chief" } }),
    };
    const answer = await tryOut(replace("User", "id-1", body));
    expect(answer).toMatchObject({ valid: true, status: 200 });
    expect(answer.resource).toMatchObject({
      id: "id-1",
      userName: "anna2",
      meta: { resourceType: "User", location: `${BASE_URL}/Users/id-1` },
    });
    expect(answer.resource?.["meta"]).not.toHaveProperty("version");
    expect(answer.resource?.["meta"]).not.toHaveProperty("lastModified");
    expect(answer.resource?.["meta"]).toHaveProperty("created");
    const expected = [
      { op: "replace", path: "userName", value: "anna2" },
      { op: "remove", path: "title" },
      { op: "add", path: "nickName", value: "Ann" },
      { op: "replace", path: "name.givenName", value: "Anne" },
      { op: "add", path: "name.formatted", value: "Anne Lee" },
      { op: "replace", path: "emails", value: [{ value: "c@d.example" }] },
      { op: "remove", path: `${ENTERPRISE_USER_URN}:department` },
      { op: "add", path: `${ENTERPRISE_USER_URN}:costCenter`, value: "7" },
      { op: "replace", path: `${ENTERPRISE_USER_URN}:manager`, value: { value: "chief" } },
    ];
    expect(answer.diff).toHaveLength(expected.length);
    expect(answer.diff).toEqual(expect.arrayContaining(expected));
  });

  test.each<readonly [string, JsonValue, JsonObject, JsonValue]>([
    [
      "members come and go",
      [
        { op: "add", path: "members", value: [{ value: "three" }, { value: "two" }] },
        { op: "remove", path: 'members[value eq "id-1"]' },
      ],
      { members: [{ value: "two" }, { value: "three" }] },
      [
        { op: "remove", path: 'members[value eq "id-1"]' },
        { op: "add", path: "members", value: [{ value: "three" }] },
      ],
    ],
    [
      "all go",
      [{ op: "remove", path: "members" }],
      {},
      [
        { op: "remove", path: 'members[value eq "id-1"]' },
        { op: "remove", path: 'members[value eq "two"]' },
      ],
    ],
    [
      "a name",
      [{ op: "replace", value: { displayName: "x" } }],
      { displayName: "x" },
      [{ op: "replace", path: "displayName", value: "x" }],
    ],
  ])("PATCH of a group: %s", async (_name, operations, expected, diff) => {
    const answer = await tryOut(patch("Group", "id-2", operations));
    expect(answer).toMatchObject({ valid: true, status: 200, error: null });
    expect(answer.resource).toMatchObject(expected);
    expect(answer.resource?.["members"] === undefined).toBe(_name === "all go");
    expect(answer.diff).toEqual(diff);
  });

  test("members that stay are all shown, however many go", async () => {
    const { service, context, as } = testService(undefined, { limits: { answerReferences: 3 } });
    const members = ["a", "b", "c", "d", "e"].map((value) => ({ value }));
    await as().post("Group", group({ members }));
    const operations = ["a", "b"].map((value) => ({ op: "remove", path: `members[value eq "${value}"]` }));
    const answer = await service.dryRun(context(), patch("Group", "id-1", operations));
    expect(answer.resource).toMatchObject({ members: members.slice(2) });
    expect(answer.diff).toEqual(operations);
  });

  test("a reference to another resource is replaced as a whole: what described the one before would go", async () => {
    const { service, context, as } = testService(addTeams);
    await as().post("Team", team({ lead: { value: "a", display: "Lead" } }));
    const body = team({ lead: { value: "b", display: "Lead" } });
    const answer = await service.dryRun(context(), replace("Team", "id-1", body));
    expect(answer.diff).toEqual([{ op: "replace", path: "lead", value: { value: "b", display: "Lead" } }]);
    const kept = team({ lead: { value: "a", display: "Boss" } });
    const described = await service.dryRun(context(), replace("Team", "id-1", kept));
    expect(described.diff).toEqual([{ op: "replace", path: "lead.display", value: "Boss" }]);
  });

  test("a PATCH that would be answered without a body: 204, no resource, but the difference", async () => {
    const value = ["a", "b"].map((each) => ({ value: each }));
    const answer = await tryOut(patch("Group", "id-2", [{ op: "add", path: "members", value }]));
    expect(answer).toMatchObject({ valid: true, status: 204, resource: null, diff: [{ op: "add", value }] });
  });

  test("DELETE: 204, and no resource", async () => {
    expect(await tryOut(remove("User", "id-1"))).toEqual({
      kind: "dryRun",
      valid: true,
      status: 204,
      resource: null,
      diff: [],
      error: null,
    });
  });

  test.each([
    ["PUT", replace("User", "id-1", ANNA)],
    ["PATCH", patch("User", "id-1", [{ op: "replace", path: "title", value: "Guide" }])],
  ])("a %s that changes nothing: the resource as it is, with its version", async (_name, change) => {
    const answer = await tryOut(change);
    const { as } = await started();
    expect(answer).toMatchObject({ valid: true, status: 200, diff: [] });
    expect(answer.resource).toEqual(await as().resource("User", "id-1"));
  });

  test("attributes are those that the request names", async () => {
    const { service, context } = await started();
    const request = {
      ...PLAIN,
      type: "User",
      body: user({ userName: "new", title: "x" }),
      attributes: ["title"],
    };
    const answer = await service.dryRun(context(), { operation: "create", request });
    expect(answer.resource).toMatchObject({ title: "x" });
    expect(answer.resource).not.toHaveProperty("userName");
  });
});

describe("a change that would be refused: its status and error, no resource, no difference", () => {
  const stale = { ...NONE, ifMatch: ["stale"] };
  test.each<readonly [string, ChangeRequest, number]>([
    ["a bad value", create("User", user({ active: 1 })), 400],
    ["a taken userName in POST", create("User", user({ userName: "ANNA" })), 409],
    ["a taken userName in PUT", replace("User", "id-3", user({ userName: "anna" })), 409],
    [
      "a taken userName in PATCH",
      patch("User", "id-3", [{ op: "replace", path: "userName", value: "anna" }]),
      409,
    ],
    ["a second group of a name", create("Group", group()), 409],
    ["nobody", remove("User", "nobody"), 404],
    ["R7232-3.1-01 a stale version in PUT", replace("User", "id-1", ANNA, stale), 412],
    ["a stale version in PATCH", patch("User", "id-1", [{ op: "remove", path: "title" }], stale), 412],
    ["a stale version in DELETE", remove("User", "id-1", stale), 412],
    ["a readOnly attribute", patch("User", "id-1", [{ op: "add", path: "groups", value: [] }]), 400],
  ])("%s", async (_name, change, status) => {
    const answer = await tryOut(change);
    expect(answer).toMatchObject({ valid: false, status, resource: null, diff: [] });
    expect(answer.error?.status).toBe(status);
  });

  test("what is no fault of the request is thrown", async () => {
    const wrap = (store: ResourceStore): ResourceStore => ({
      ...recordingStore(store, {}),
      preview: () => Promise.reject(new TypeError("no disk")),
    });
    const { service, context } = testService(undefined, { wrap });
    await expect(service.dryRun(context(), create("User", user()))).rejects.toThrow("no disk");
  });
});

test("a type that shows rows: the row as it would be, and how the resource that holds it changes", async () => {
  const { service, context, as } = testService(addMemberships);
  await as().post("Group", group());
  const answer = await service.dryRun(context(), create("GroupMembership", membership("id-1", "new")));
  expect(answer).toMatchObject({
    valid: true,
    status: 201,
    resource: { id: "id-1~new", group: { value: "id-1" }, member: { value: "new" } },
    diff: [{ op: "add", path: "members", value: [{ value: "new" }] }],
  });
  expect((await as().list("GroupMembership")).totalResults).toBe(0);
});

describe("what a dry run tells nobody", () => {
  test("secrets, set or changed, and values that are never returned", async () => {
    const secret = "s3cr3t";
    for (const change of [
      create("User", user({ userName: "new", password: secret, ...extended({ pin: secret }) })),
      create("Vault", { schemas: [VAULT_URN], code: secret, door: [{ value: "front", code: secret }] }),
      replace("User", "id-1", { ...ANNA, password: secret }),
      patch("User", "id-1", [{ op: "add", path: "password", value: secret }]),
    ]) {
      const answer = await tryOut(change);
      expect(answer.valid).toBe(true);
      expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });
});

test("tolerances are told as by the change itself", async () => {
  const { service, context, fired } = await started();
  await service.dryRun(
    context("tolerant"),
    patch("User", "id-1", [{ op: "replace", path: "active", value: "False" }]),
  );
  expect(fired).toEqual(["string-booleans active"]);
});

test("a change that others outrun is tried again, as it would be made", async () => {
  let rounds = 0;
  const tested = testService(undefined, {
    wrap: (store) => {
      const rival = interceptingStore(store, async () => null);
      return {
        ...rival,
        preview: async (scope, plan) => {
          rounds += 1;
          return rounds === 1 ? { kind: "conflict", current: "other" } : store.preview(scope, plan);
        },
      };
    },
  });
  await tested.as().post("User", user());
  const answer = await tested.service.dryRun(
    tested.context(),
    patch("User", "id-1", [{ op: "add", path: "title", value: "x" }]),
  );
  expect(answer).toMatchObject({ valid: true, diff: [{ op: "add", path: "title", value: "x" }] });
});
