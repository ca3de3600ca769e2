import { createDefaultRegistry, ScimError, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import {
  createHandlerStore,
  createScimService,
  PROFILES,
  type HookContext,
  type HookedChange,
  type OperatorService,
  type RequestContext,
  type ResourceHooks,
  type ResourceStore,
  type ReturningMembership,
  type ReturningSide,
} from "../../src/index.ts";
import { createMemoryHandler, createMemoryStore, type MemoryStore } from "../../src/testing/index.ts";
import { group, user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { PLAIN, testService } from "../support/service.ts";
import { testSources } from "../support/sources.ts";
import { addTeams, team as teamBody } from "../support/teams.ts";
import { interceptingStore } from "../support/store-wrappers.ts";

/** Restores whatever is kept. */
const EVER = "";
const ANY = { ifMatch: "*", ifNoneMatch: null } as const;

interface Tried {
  readonly service: OperatorService;
  readonly store: MemoryStore;
  readonly context: RequestContext;
  readonly create: (type: "User" | "Group", body: JsonObject) => Promise<string>;
  readonly remove: (type: "User" | "Group", id: string) => Promise<void>;
}

function tried(
  hooks: Readonly<Record<string, ResourceHooks>> = {},
  wrap: (store: MemoryStore) => ResourceStore = (store) => store,
): Tried {
  const store = createMemoryStore();
  const registry = createDefaultRegistry();
  const service = createScimService({ registry, store: wrap(store), sources: testSources(), hooks });
  const context: RequestContext = {
    tenant: "default",
    connection: "default",
    subject: null,
    origin: { admin: "Ann" },
    profile: PROFILES.tolerant,
    baseUrl: "",
    signal: undefined,
    onSwitch: () => undefined,
  };
  return {
    service,
    store,
    context,
    create: async (type, body) => idOf(await service.create(context, { ...PLAIN, type, body })),
    remove: (type, id) => service.delete(context, { ...PLAIN, type, id }),
  };
}

async function refused(work: Promise<unknown>): Promise<readonly [string, string]> {
  const error: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error instanceof ScimError) return [error.code, error.message];
  throw error;
}

describe("a deleted resource", () => {
  test("is restored on its version alone, once, as it was, and told as created", async () => {
    const { service, store, context, create, remove } = tried();
    const id = await create("User", user({ userName: "anna", title: "Dr" }));
    const target = { type: "User", id, since: EVER };
    expect(await refused(service.restore(context, { ...target, precondition: ANY }))).toEqual([
      "conflict",
      "The User is not deleted: there is nothing to restore.",
    ]);
    await remove("User", id);
    const { resource, refusal, memberOf, members } = await service.previewRestore(context, target);
    expect([refusal, memberOf, members]).toEqual([null, [], []]);
    expect(resource).not.toHaveProperty("body");
    expect(resource.by).toEqual({ connection: "default", subject: null, origin: { admin: "Ann" } });

    for (const [precondition, code] of [
      [{ ifMatch: null, ifNoneMatch: null }, "versionRequired"],
      [{ ifMatch: ["1-x"], ifNoneMatch: null }, "versionMismatch"],
    ] as const)
      expect((await refused(service.restore(context, { ...target, precondition })))[0]).toBe(code);
    const precondition = { ifMatch: [resource.version], ifNoneMatch: null };
    const restored = await service.restore(context, { ...target, precondition });
    expect(restored).toMatchObject({ type: "User", id, deleted: resource.deleted });
    expect(restored.restored >= resource.deleted).toBe(true);
    const read = await service.read(context, { ...PLAIN, type: "User", id });
    expect(read).toMatchObject({ version: restored.version, resource: { userName: "anna", title: "Dr" } });
    expect((await refused(service.restore(context, { ...target, precondition })))[0]).toBe("conflict");

    while ((await store.events.assign(100)) > 0);
    expect((await store.events.read("default", { after: 0, limit: 10 })).at(-1)).toMatchObject({
      kind: "created",
      version: restored.version,
      versionBefore: resource.version,
      before: null,
      after: { userName: "anna", title: "Dr" },
      changed: ["userName", "title"],
      origin: { admin: "Ann" },
    });
  });

  test("is not restored once its time is over, nor one that never was, nor a value of another", async () => {
    const { service, context, create, remove } = tried();
    const id = await create("User", user({ userName: "anna" }));
    await remove("User", id);
    const [{ deleted } = { deleted: "" }] = await service.listDeleted(context, {
      since: EVER,
      after: null,
      limit: 1,
    });
    const late = { type: "User", id, since: `${deleted}x`, precondition: ANY };
    const [code, detail] = await refused(service.restore(context, late));
    expect([code, detail]).toEqual(["notFound", expect.stringContaining("'retention.deleted'")]);
    expect((await refused(service.previewRestore(context, late)))[0]).toBe("notFound");
    for (const type of ["User", "Group", "Robot"]) {
      const none = { type, id: "none", since: EVER, precondition: ANY };
      expect((await refused(service.restore(context, none)))[0], type).toBe("notFound");
    }
    const exact = { type: "User", id, since: deleted, precondition: ANY };
    expect(await service.restore(context, exact)).toMatchObject({ id });
  });

  test("is refused where another has taken a value, and says what to do", async () => {
    const { service, context, create, remove } = tried();
    const id = await create("User", user({ userName: "anna" }));
    await remove("User", id);
    const other = await create("User", user({ userName: "ANNA" }));
    const target = { type: "User", id, since: EVER };
    const { refusal } = await service.previewRestore(context, target);
    expect(refusal).toMatchObject({ code: "uniqueness", status: 409 });
    expect(await refused(service.restore(context, { ...target, precondition: ANY }))).toEqual([
      "uniqueness",
      "Another resource has taken the value of attribute 'userName' since: delete that one, or give it another value, and restore again.",
    ]);
    await remove("User", other);
    expect((await service.previewRestore(context, target)).refusal).toBe(null);
    await service.restore(context, { ...target, precondition: ANY });
  });

  test("is held to the uniqueness rules of the connection that created it", async () => {
    const { service, context, create, remove } = tried();
    const id = await create("Group", group({ displayName: "team" }));
    await remove("Group", id);
    await create("Group", group({ displayName: "team" }));
    const target = { type: "Group", id, since: EVER };
    expect((await service.previewRestore(context, target)).refusal?.code).toBe("uniqueness");
    const asked: string[] = [];
    const profileOf = (connection: string) => {
      asked.push(connection);
      return PROFILES.strict;
    };
    await service.restore(context, { ...target, precondition: ANY, profileOf });
    expect(asked).toEqual(["default"]);
  });

  test("comes back with its members and its memberships, which are shown before, page by page", async () => {
    const { service, context, create, remove } = tried();
    const id = await create("User", user({ userName: "anna" }));
    const holders: string[] = [];
    for (const name of ["a", "b", "c"])
      holders.push(await create("Group", group({ displayName: name, members: [{ value: id }] })));
    const values = [{ value: id }, ...holders.map((value) => ({ value }))];
    const team = await create("Group", group({ displayName: "team", members: values }));
    await remove("User", id);
    await remove("Group", team);
    await remove("Group", holders[1] ?? "");

    const shown = async (type: string, of: string, side: ReturningSide) => {
      const all: ReturningMembership[] = [];
      for (;;) {
        const after = all.at(-1) ?? null;
        const page = await service.returningMemberships(context, {
          type,
          id: of,
          since: EVER,
          side,
          after,
          limit: 1,
        });
        if (page.length === 0) return all.map(({ id: owner, value }) => [owner, value]);
        all.push(...page);
      }
    };
    // What is deleted itself holds nobody; the resource is in it again when it is restored too.
    expect(await shown("User", id, "memberOf")).toEqual([holders[0], holders[2]].map((of) => [of, id]));
    expect(await shown("User", id, "members")).toEqual([]);
    expect(await shown("Group", team, "members")).toEqual(values.map(({ value }) => [team, value]));
    expect(await service.previewRestore(context, { type: "User", id, since: EVER })).toMatchObject({
      memberOf: [{ type: "Group", path: "members", count: 2 }],
      members: [],
    });
    const preview = await service.previewRestore(context, { type: "Group", id: team, since: EVER });
    expect(preview.members).toEqual([{ type: "Group", path: "members", count: 4 }]);

    await service.restore(context, { type: "Group", id: team, since: EVER, precondition: ANY });
    await service.restore(context, { type: "User", id, since: EVER, precondition: ANY });
    expect(await service.read(context, { ...PLAIN, type: "Group", id: team })).toMatchObject({
      resource: { members: values },
    });
    const read = await service.read(context, { ...PLAIN, type: "User", id });
    const groups = read.kind === "resource" ? read.resource["groups"] : null;
    expect(groups).toHaveLength(3);
  });

  test("shows the memberships of each of several lists of one type, page by page", async () => {
    const { service, context, as } = testService(addTeams);
    await as().post("User", user());
    const holds = [{ value: "id-1" }];
    await as().post("Team", teamBody({ displayName: "a", owners: holds, guests: holds }));
    await as().post("Team", teamBody({ displayName: "b", owners: holds, guests: holds }));
    await as().delete("User", "id-1");
    const shown: ReturningMembership[] = [];
    for (let pages = 0; pages < 5; pages += 1) {
      const target = { type: "User", id: "id-1", since: EVER, side: "memberOf" as const };
      const after = shown.at(-1) ?? null;
      shown.push(...(await service.returningMemberships(context(), { ...target, after, limit: 1 })));
    }
    expect(shown.map(({ path, id }) => [path, id])).toEqual([
      ["guests", "id-2"],
      ["guests", "id-3"],
      ["owners", "id-2"],
      ["owners", "id-3"],
    ]);
  });

  test("passes the hooks as a new one: they refuse, amend and add statements, and are told of a trial", async () => {
    const changes: (readonly [HookedChange, HookContext["dryRun"]])[] = [];
    let seats = 1;
    const { service, context, create, remove } = tried({
      User: {
        kinds: ["created"],
        plan: ({ dryRun }, change) => {
          changes.push([change, dryRun]);
          if (seats === 0) throw new ScimError("invalidValue", "No seat is left.");
          return { ...change.after, nickName: "back" };
        },
      },
    });
    const id = await create("User", user({ userName: "anna" }));
    await remove("User", id);
    seats = 0;
    const target = { type: "User", id, since: EVER };
    expect((await service.previewRestore(context, target)).refusal?.message).toBe("No seat is left.");
    expect((await refused(service.restore(context, { ...target, precondition: ANY })))[0]).toBe(
      "invalidValue",
    );
    seats = 1;
    await service.restore(context, { ...target, precondition: ANY });
    const after = { userName: "anna", nickName: "back" };
    expect(await service.read(context, { ...PLAIN, type: "User", id })).toMatchObject({ resource: after });
    expect(changes.map(([{ kind, before }, dryRun]) => [kind, before, dryRun])).toEqual([
      ["created", null, false],
      ["created", null, true],
      ["created", null, false],
      ["created", null, false],
    ]);
  });

  test("is planned again where another process changed what is deleted, as an erasure does", async () => {
    let lost = 2;
    const { service, context, create, remove } = tried({}, (store) => ({
      ...interceptingStore(store, async ({ kind }) =>
        kind === "restore" && lost-- > 0 ? { kind: "conflict", current: null } : null,
      ),
      deleted: store.deleted,
    }));
    const id = await create("User", user({ userName: "anna" }));
    await remove("User", id);
    await service.restore(context, { type: "User", id, since: EVER, precondition: ANY });
    expect(lost).toBe(-1);
  });
});

describe("a store that keeps nothing it deletes", () => {
  test("says so, and so does one for the types of its handlers", async () => {
    const without = tried({}, ({ deleted: _deleted, ...store }) => store);
    const registry = createDefaultRegistry();
    const sources = testSources();
    const handlers = { User: createMemoryHandler() };
    const handled = tried({}, (store) => createHandlerStore({ registry, sources, handlers, store }));
    for (const { service, context } of [without, handled]) {
      const target = { type: "User", id: "u1", since: EVER };
      for (const asked of [
        service.previewRestore(context, target),
        service.restore(context, { ...target, precondition: ANY }),
        service.returningMemberships(context, { ...target, side: "memberOf", after: null, limit: 1 }),
      ])
        expect((await refused(asked))[0]).toBe("notImplemented");
    }
    const page = { since: EVER, after: null, limit: 10 };
    expect((await refused(without.service.listDeleted(without.context, page)))[0]).toBe("notImplemented");
    const { service, context, create, remove } = handled;
    const team = await create("Group", group({ displayName: "team", members: [{ value: "m1" }] }));
    await remove("Group", team);
    expect(await service.listDeleted(context, page)).toMatchObject([{ id: team }]);
    await service.restore(context, { type: "Group", id: team, since: EVER, precondition: ANY });
    expect(await service.read(context, { ...PLAIN, type: "Group", id: team })).toMatchObject({
      resource: { members: [{ value: "m1" }] },
    });
  });
});
