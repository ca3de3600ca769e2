import { setTimeout as delay } from "node:timers/promises";
import { ENTERPRISE_USER_URN, ScimError, USER_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import type { HookContext, HookedChange, ResourceHooks, ResourceStore } from "../../src/index.ts";
import { createMemoryStore } from "../../src/testing/index.ts";
import { enterprise, group, user } from "../support/bodies.ts";
import { jobRunner, outcomes, post } from "../support/bulk.ts";
import { idOf } from "../support/client.ts";
import { refusal } from "../support/refusal.ts";
import { PLAIN, testService, type TestService, type TestServiceOptions } from "../support/service.ts";

type Plan = NonNullable<ResourceHooks["plan"]>;

function hooked(plan: Plan, options: TestServiceOptions = {}): TestService {
  return testService(undefined, { ...options, hooks: { User: { plan }, Group: { plan } } });
}

/** A service that notes what its hook is shown. */
function noting(options: TestServiceOptions = {}): {
  readonly tested: TestService;
  readonly changes: HookedChange[];
  readonly contexts: HookContext[];
} {
  const changes: HookedChange[] = [];
  const contexts: HookContext[] = [];
  const tested = hooked((context, change) => {
    contexts.push(context);
    changes.push(change);
  }, options);
  return { tested, changes, contexts };
}

const BASE = { connection: "default", subject: null, origin: null, dryRun: false, tenant: "default" };
const NO_SEAT = "No seat is left.";

describe("what a hook is shown", () => {
  test("a new resource, a replaced, a patched and a deleted one, each with what it was before", async () => {
    const { tested, changes } = noting();
    const client = tested.as("strict");
    const id = idOf(await client.post("User", user({ userName: "a", title: "one" })));
    await client.put("User", id, user({ userName: "a", title: "two" }));
    await client.patch("User", id, [{ op: "remove", path: "title" }]);
    await client.delete("User", id);
    const one = { userName: "a", title: "one" };
    const two = { userName: "a", title: "two" };
    const none = { userName: "a" };
    const common = { type: "User", id };
    const paths = (...attributes: readonly string[]): object => ({
      changes: { attributes, collections: [], longCollections: [] },
    });
    expect(changes).toEqual([
      { ...common, kind: "created", before: null, after: one, ...paths("userName", "title") },
      { ...common, kind: "replaced", before: one, after: two, ...paths("title") },
      { ...common, kind: "patched", before: two, after: none, ...paths("title") },
      { ...common, kind: "deleted", before: none, after: null, ...paths() },
    ]);
  });

  test("only the kinds of changes that it asks for", async () => {
    const kinds: string[] = [];
    const client = testService(undefined, {
      hooks: { User: { kinds: ["patched", "deleted"], plan: (_, { kind }) => void kinds.push(kind) } },
    }).as("strict");
    const id = idOf(await client.post("User", user({ userName: "a", title: "one" })));
    await client.put("User", id, user({ userName: "a", title: "two" }));
    await client.patch("User", id, [{ op: "remove", path: "title" }]);
    await client.delete("User", id);
    expect(kinds).toEqual(["patched", "deleted"]);
  });

  test("references as what comes and goes, never the list", async () => {
    const { tested, changes } = noting();
    const client = tested.as("strict");
    const members = [{ value: "u1" }, { value: "u2" }];
    const id = idOf(await client.post("Group", group({ displayName: "g", members })));
    await client.patch("Group", id, [
      { op: "add", path: "members", value: [{ value: "u3" }] },
      { op: "remove", path: 'members[value eq "u1"]' },
    ]);
    expect(changes.map(({ after }) => after)).toEqual([{ displayName: "g" }, { displayName: "g" }]);
    expect(changes[1]?.changes).toEqual({
      attributes: ["members"],
      collections: [{ path: "members", remove: ["u1"], add: [{ value: "u3", rest: {} }] }],
      longCollections: [],
    });
  });

  test("no secret, only that one was set", async () => {
    const { tested, changes } = noting();
    const client = tested.as("strict");
    const id = idOf(await client.post("User", user({ userName: "a", password: "p4ss-w0rd" })));
    await client.patch("User", id, [{ op: "replace", path: "password", value: "0ther-w0rd" }]);
    expect(JSON.stringify(changes)).not.toContain("w0rd");
    expect(changes.map((change) => change.changes.attributes)).toEqual([
      ["userName", "password"],
      ["password"],
    ]);
  });

  test("whose request it is: tenant, connection, subject, origin, and whether it is a dry run", async () => {
    const { tested, contexts } = noting();
    const origin = { credential: "token-1" };
    const of = { tenant: "acme", connection: "okta", subject: "u9", origin };
    await tested.as("strict", of).post("User", user({ userName: "a" }));
    await tested.service.dryRun(tested.context(), {
      operation: "create",
      request: { ...PLAIN, type: "User", body: user({ userName: "b" }) },
    });
    const seen = contexts.map(({ signal: _signal, ...each }) => each);
    expect(seen).toEqual([
      { ...of, dryRun: false },
      { ...BASE, dryRun: true },
    ]);
  });

  test("nothing where nothing changes, and no other type", async () => {
    const { tested, changes } = noting();
    const client = tested.as("strict");
    const id = idOf(await client.post("User", user({ userName: "a" })));
    await client.put("User", id, user({ userName: "a" }));
    await client.patch("User", id, [{ op: "add", path: "userName", value: "a" }]);
    expect(changes).toHaveLength(1);
    const alone = testService(undefined, {
      hooks: { Group: { plan: () => Promise.reject(new TypeError("not asked")) } },
    });
    await alone.as("strict").post("User", user({ userName: "a" }));
  });

  test("copies: what a hook does to them changes nothing", async () => {
    const tested = hooked((_, { before, after, changes }) => {
      for (const body of [before, after]) if (body !== null) Object.assign(body, { title: "spoilt" });
      for (const { add, remove } of changes.collections) {
        for (const { rest } of add) Object.assign(rest, { display: "spoilt" });
        for (const list of [add, remove]) Object.assign(list, { length: 0 });
      }
      for (const list of Object.values(changes)) Object.assign(list, { length: 0 });
    });
    const client = tested.as("strict");
    const id = idOf(await client.post("User", user({ userName: "a" })));
    await client.put("User", id, user({ userName: "b" }));
    expect(await client.resource("User", id)).not.toHaveProperty("title");
    const members = [{ value: "u1" }, { value: "u2" }];
    const of = idOf(await client.post("Group", group({ displayName: "g", members })));
    await client.patch("Group", of, [
      { op: "add", path: "members", value: [{ value: "u3" }] },
      { op: "remove", path: 'members[value eq "u1"]' },
    ]);
    expect(await client.resource("Group", of)).toMatchObject({ members: [{ value: "u2" }, { value: "u3" }] });
  });
});

describe("a hook that refuses", () => {
  const refuses: Plan = (_, { kind, after }) => {
    if (kind === "deleted" || after?.["active"] !== false) throw new ScimError("invalidValue", NO_SEAT);
  };
  const refused = { answer: "400 invalidValue", detail: NO_SEAT };

  test("POST, PUT, PATCH and DELETE end in its error, and nothing is written", async () => {
    const tested = hooked(refuses);
    const client = tested.as("strict");
    expect(await refusal(client.post("User", user({ userName: "a" })))).toMatchObject(refused);
    const made = await client.post("User", user({ userName: "a", active: false }));
    const id = idOf(made);
    expect(await refusal(client.put("User", id, user({ userName: "b" })))).toMatchObject(refused);
    const activate = [{ op: "replace", path: "active", value: true }];
    expect(await refusal(client.patch("User", id, activate))).toMatchObject(refused);
    expect(await refusal(client.delete("User", id))).toMatchObject(refused);
    expect(await client.get("User", id)).toEqual(made);
    expect((await client.list("User")).totalResults).toBe(1);
  });

  test("operations of a bulk job, each by itself", async () => {
    const tested = hooked(refuses);
    const job = jobRunner(tested.service, tested.context());
    const answers = await job([
      post("/Users", "a", user({ userName: "a", active: false })),
      post("/Users", "b", user({ userName: "b" })),
    ]);
    expect(outcomes(answers)).toEqual(["201", "400 invalidValue"]);
  });

  test("a dry run tells of it", async () => {
    const tested = hooked(refuses);
    const answer = await tested.service.dryRun(tested.context(), {
      operation: "create",
      request: { ...PLAIN, type: "User", body: user({ userName: "a" }) },
    });
    expect(answer).toMatchObject({ valid: false, status: 400 });
    expect(answer.error?.detail).toBe(NO_SEAT);
  });

  test("a stale version is told first: nobody is asked about what would not be written", async () => {
    const { tested, changes } = noting();
    const client = tested.as("strict");
    const id = idOf(await client.post("User", user({ userName: "a" })));
    const stale = { precondition: { ifMatch: ["stale"], ifNoneMatch: null } };
    expect((await refusal(client.delete("User", id, stale))).answer).toBe("412");
    expect(changes).toHaveLength(1);
  });
});

describe("a hook that amends", () => {
  test("POST, PUT and PATCH write and answer what it returns, found by it too", async () => {
    const tested = hooked((_, { after }) => ({ ...after, nickName: "Nick" }));
    const client = tested.as("strict");
    const made = await client.post("User", user({ userName: "a" }));
    expect(made.resource["nickName"]).toBe("Nick");
    const id = idOf(made);
    const replaced = await client.put("User", id, user({ userName: "b" }));
    expect(replaced.resource).toMatchObject({ userName: "b", nickName: "Nick" });
    const patched = await client.patched("User", id, [
      { op: "remove", path: "nickName" },
      { op: "add", path: "title", value: "t" },
    ]);
    expect(patched).toMatchObject({ userName: "b", nickName: "Nick", title: "t" });
    expect(await client.matches("User", 'nickName eq "nick"')).toEqual([id]);
    expect(await client.resource("User", id)).toEqual(patched);
  });

  test("unique values of what it returns are those that count", async () => {
    const tested = hooked((_, { after }) => ({ ...after, userName: "same" }));
    const client = tested.as("strict");
    await client.post("User", user({ userName: "a" }));
    expect((await refusal(client.post("User", user({ userName: "b" })))).answer).toBe("409 uniqueness");
  });

  test("a change that it takes back is none: no version moves", async () => {
    const tested = hooked((_, { before, after }) => before ?? after ?? {});
    const client = tested.as("strict");
    const made = await client.post("User", user({ userName: "a" }));
    const answer = await client.put("User", idOf(made), user({ userName: "b" }));
    expect(answer).toEqual(made);
  });

  test("names in any letter case, nulls and empty lists are brought into normal form", async () => {
    const tested = hooked((_, { after }) => ({ ...after, NICKNAME: "Nick", title: null, emails: [] }));
    const { resource } = await tested.as("strict").post("User", user({ userName: "a" }));
    expect(resource["nickName"]).toBe("Nick");
    expect(Object.keys(resource)).not.toContain("title");
    expect(Object.keys(resource)).not.toContain("emails");
  });

  test("references stay as they were planned, also those that an extension holds alone", async () => {
    const tested = hooked((_, { after }) => ({ ...after, displayName: "amended" }));
    const client = tested.as("strict");
    const made = await client.post("Group", group({ displayName: "g", members: [{ value: "u1" }] }));
    expect(made.resource).toMatchObject({ displayName: "amended", members: [{ value: "u1" }] });
    expect(await client.resource("Group", idOf(made))).toEqual(made.resource);
  });

  test("an extension may come by it", async () => {
    const tested = hooked((_, { after }) => ({ ...after, ...enterprise({ department: "Tours" }) }));
    const { resource } = await tested.as("strict").post("User", user({ userName: "a" }));
    expect(resource["schemas"]).toEqual([USER_URN, ENTERPRISE_USER_URN]);
  });

  test.each<[string, JsonObject]>([
    ["a value of another type", { userName: "a", active: "yes" }],
    ["no required value", { title: "t" }],
    ["a Map for an object", { userName: "a", name: new Map() as never }],
    ["a name that the schema does not have", { userName: "a", shoeSize: 44 }],
    ["a secret", { userName: "a", password: "p" }],
    ["what is derived", { userName: "a", groups: [{ value: "g" }] }],
    ["what is the service's", { userName: "a", id: "mine" }],
    [
      "two primaries",
      {
        userName: "a",
        emails: [
          { value: "a", primary: true },
          { value: "b", primary: true },
        ],
      },
    ],
  ])("%s is a fault of the application, not of the client, and nothing is written", async (_, amended) => {
    const tested = hooked((_context, { kind }) => (kind === "created" ? amended : undefined));
    const client = tested.as("strict");
    await expect(client.post("User", user({ userName: "a" }))).rejects.toThrow(TypeError);
    expect((await client.list("User")).totalResults).toBe(0);
  });

  test("null is no attributes, and said to be none", async () => {
    // What code without types may return.
    const tested = hooked(() => null as never);
    const posted = tested.as("strict").post("User", user({ userName: "a" }));
    await expect(posted).rejects.toThrow("The plan hook of User returned no attributes");
  });

  test("references are nothing that a hook can set", async () => {
    const tested = hooked((_, { after }) => ({ ...after, members: [{ value: "u1" }] }));
    await expect(tested.as("strict").post("Group", group())).rejects.toThrow(TypeError);
  });
});

describe("a hook that does not end well", () => {
  test("past its time: 503 with Retry-After, its signal is aborted, nothing is written", async () => {
    let ended: AbortSignal | null = null;
    const tested = hooked(
      async (context) => {
        ended = context.signal;
        await new Promise<never>(() => {});
      },
      { limits: { hookTimeout: 5 } },
    );
    const client = tested.as("strict");
    const { answer, headers } = await refusal(client.post("User", user({ userName: "a" })));
    expect([answer, headers]).toEqual(["503", { "retry-after": "1" }]);
    expect(ended).toMatchObject({ aborted: true });
    expect((await client.list("User")).totalResults).toBe(0);
  });

  test("its hooks may give it more time than the service does", async () => {
    const plan = async (): Promise<void> => delay(50);
    const hooks = { User: { plan, timeout: 60_000 } };
    const client = testService(undefined, { hooks, limits: { hookTimeout: 5 } }).as("strict");
    await client.post("User", user({ userName: "a" }));
    expect((await client.list("User")).totalResults).toBe(1);
  });

  test("its own error is thrown on as a fault of the service", async () => {
    const tested = hooked(() => Promise.reject(new RangeError("of the application")));
    await expect(tested.as("strict").post("User", user({ userName: "a" }))).rejects.toThrow(RangeError);
  });

  test("a client that goes away ends it", async () => {
    const controller = new AbortController();
    const tested = hooked(async () => {
      controller.abort(new Error("gone"));
      await new Promise<never>(() => {});
    });
    const { signal } = controller;
    await expect(tested.as("strict", { signal }).post("User", user({ userName: "a" }))).rejects.toThrow(
      "gone",
    );
  });

  test("it is asked again where others were faster", async () => {
    const seen: unknown[] = [];
    const store = createMemoryStore();
    const wrap = (): ResourceStore => store;
    const otherClient = testService(undefined, { wrap }).as("strict");
    let id = "";
    const tested = hooked(
      async (_, { kind, before }) => {
        if (kind !== "patched") return;
        seen.push(before?.["title"]);
        if (seen.length > 1) return;
        await otherClient.put("User", id, user({ userName: "a", title: "theirs" }));
      },
      { wrap },
    );
    const client = tested.as("strict");
    id = idOf(await client.post("User", user({ userName: "a", title: "mine" })));
    const patched = await client.patched("User", id, [{ op: "add", path: "nickName", value: "n" }]);
    expect(seen).toEqual(["mine", "theirs"]);
    expect(patched).toMatchObject({ title: "theirs", nickName: "n" });
  });
});

describe("hooks that are refused when the service is made", () => {
  test.each<[string, Readonly<Record<string, ResourceHooks>>, string]>([
    ["for no resource type", { Robot: {} }, "no resource type"],
    ["statements over a store that runs none", { User: { statements: () => [] } }, "runs no statements"],
    [
      "for a kind of change that there is not",
      odd({ kinds: ["create"] }),
      "the kind 'create': there are created",
    ],
    ["a function in the place of hooks", odd(() => undefined), "The hooks of User are no object"],
    ["nothing in the place of hooks", odd(undefined), "The hooks of User are no object"],
    ["a plan that is no function", odd({ plan: "refuse" }), "'plan' that is no function"],
    ["statements that are no function", odd({ statements: [] }), "'statements' that is no function"],
    ["a time that is over at once", { User: { timeout: 0 } }, "'timeout' is a number of milliseconds"],
    ["a time that is no number", { User: { timeout: Number.NaN } }, "'timeout' is a number of milliseconds"],
  ])("%s", (_, hooks, words) => {
    expect(() => testService(undefined, { hooks })).toThrow(words);
  });

  /** What programs without types may give. */
  function odd(hooks: unknown): Readonly<Record<string, ResourceHooks>> {
    return { User: hooks as ResourceHooks };
  }
});
