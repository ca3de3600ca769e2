import { createDefaultRegistry, isJsonObject, ScimError, USER_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  createHandlerStore,
  createScimService,
  type HandlerContext,
  type HandlerCreate,
  type HandlerReplace,
  type ResourceHandler,
} from "../../src/index.ts";
import { createMemoryHandler } from "../../src/testing/index.ts";
import { enterprise, group, metaOf, ownValues, user } from "../support/bodies.ts";
import { idOf } from "../support/client.ts";
import { handledStore } from "../support/handled-store.ts";
import { refusal } from "../support/refusal.ts";
import { testService, type TestService } from "../support/service.ts";
import { testSources } from "../support/sources.ts";

/** The values of a list of objects. */
function valuesOf(resource: JsonObject, name: string): readonly JsonObject[] {
  const values = resource[name];
  return Array.isArray(values) ? values.filter(isJsonObject) : [];
}

const REGISTRY = createDefaultRegistry();
const WHEN = "2026-01-31T08:00:00Z";

function served(handlers: Readonly<Record<string, ResourceHandler>>): TestService {
  return testService(undefined, { wrap: () => handledStore(REGISTRY, { handlers }) });
}

/** A handler that notes what it is asked to write. */
function noting(handler: ResourceHandler = createMemoryHandler()): {
  readonly handler: ResourceHandler;
  readonly created: HandlerCreate[];
  readonly replaced: HandlerReplace[];
} {
  const created: HandlerCreate[] = [];
  const replaced: HandlerReplace[] = [];
  return {
    created,
    replaced,
    handler: {
      ...handler,
      create: (context, resource) => {
        created.push(resource);
        return handler.create(context, resource);
      },
      replace: (context, change) => {
        replaced.push(change);
        return handler.replace(context, change);
      },
    },
  };
}

describe("what a handler is given", () => {
  test("plain attributes in normal form, without secrets, schemas, meta and what is derived", async () => {
    const { handler, created, replaced } = noting();
    const client = served({ User: handler }).as("tolerant");
    const id = idOf(
      await client.post(
        "User",
        user({
          userName: "a",
          password: "s3cret",
          title: null,
          emails: [{ value: "a@x.example", primary: "True" }],
          ...enterprise({ manager: { value: "m", $ref: "../Users/m" } }),
        }),
      ),
    );
    await client.patch("User", id, [
      { op: "add", path: "title", value: "t" },
      { op: "remove", path: "emails" },
      { op: "replace", path: "password", value: "0ther" },
    ]);
    const extension = enterprise({ manager: { value: "m" } });
    expect(created[0]?.attributes).toEqual({
      userName: "a",
      emails: [{ value: "a@x.example", primary: true }],
      ...extension,
    });
    expect(replaced[0]).toMatchObject({ id, changed: ["emails", "title"], dryRun: false });
    expect(replaced[0]?.attributes).toEqual({ userName: "a", title: "t", ...extension });
    expect(JSON.stringify([created, replaced])).not.toContain("s3cret");
  });

  test("whose request it is", async () => {
    const contexts: Omit<HandlerContext, "signal">[] = [];
    const handler = createMemoryHandler();
    const get: ResourceHandler["get"] = (context, id) => {
      const { tenant, connection } = context;
      contexts.push({ tenant, connection });
      return handler.get(context, id);
    };
    const client = served({ User: { ...handler, get } }).as("strict", { tenant: "acme", connection: "okta" });
    await refusal(client.get("User", "u1"));
    expect(contexts).toEqual([{ tenant: "acme", connection: "okta" }]);
  });

  test("values that must be unique as keys, and how they change", async () => {
    const { handler, created, replaced } = noting();
    const client = served({ User: handler }).as("strict");
    const id = idOf(await client.post("User", user({ userName: "Ａnna" })));
    await client.put("User", id, user({ userName: "Bert" }));
    const entry = (key: string): object => ({ path: "userName", scope: "type:User", key });
    expect(created[0]?.unique).toEqual([entry("anna")]);
    expect(replaced[0]?.unique).toEqual({ add: [entry("bert")], remove: [entry("anna")] });
  });

  test("references as part of the attributes, and what comes and goes", async () => {
    const { handler, replaced } = noting();
    const client = served({ Group: handler }).as("strict");
    const members = [{ value: "u1", display: "One" }, { value: "u2" }];
    const id = idOf(await client.post("Group", group({ members })));
    await client.patch("Group", id, [
      { op: "remove", path: 'members[value eq "u2"]' },
      { op: "add", path: "members", value: [{ value: "u3" }] },
    ]);
    expect(replaced[0]?.attributes["members"]).toEqual([{ value: "u1", display: "One" }, { value: "u3" }]);
    expect(replaced[0]?.references).toEqual([
      { path: "members", remove: ["u2"], add: [{ value: "u3", rest: {} }] },
    ]);
    await client.patch("Group", id, [{ op: "replace", path: "displayName", value: "n" }]);
    expect(replaced[1]).toMatchObject({ changed: ["displayName"], references: [] });
    expect(replaced[1]?.attributes["members"]).toHaveLength(2);
  });
});

describe("what a handler answers", () => {
  const row = {
    id: "u1",
    attributes: {
      USERNAME: "anna",
      title: null,
      emails: { value: "a@x.example" },
      phoneNumbers: [],
      passwordHash: "$2b$",
      password: "clear",
      groups: [{ value: "own" }],
      [USER_URN]: {},
      ...enterprise({ Department: "Tours", manager: { value: "m", $ref: "wrong" }, boss: "x" }),
    },
    created: "2026-01-31T10:00:00+02:00",
    lastModified: WHEN,
    version: "7",
  };
  const handler: ResourceHandler = {
    ...createMemoryHandler(),
    get: () => row,
    list: () => ({ resources: [row] }),
  };

  test("is shown as the schema has it, and nothing else of it", async () => {
    const client = served({ User: handler }).as("strict");
    const resource = await client.resource("User", "u1");
    const location = "https://scim.example/scim/v2/Users";
    expect(ownValues(resource)).toEqual({
      userName: "anna",
      emails: [{ value: "a@x.example" }],
      ...enterprise({ department: "Tours", manager: { value: "m", $ref: `${location}/m` } }),
    });
    const created = "2026-01-31T08:00:00.000Z";
    expect(resource["meta"]).toEqual({
      resourceType: "User",
      created,
      lastModified: created,
      location: `${location}/u1`,
      version: 'W/"7"',
    });
    expect((await client.list("User")).resources).toEqual([resource]);
    expect(await client.matches("User", 'passwordHash eq "$2b$"').catch(() => "unknown")).toBe("unknown");
    expect(await client.matches("User", `meta.created eq "${created}"`)).toEqual(["u1"]);
  });

  test("has a date without an offset in UTC, wherever the machine stands (R7643-2.3.5-02)", async () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    onTestFinished(() => void vi.unstubAllEnvs());
    const local = { ...row, created: "2026-01-31T08:00:00" };
    const client = served({ User: { ...handler, get: () => local } }).as("strict");
    expect((await client.resource("User", "u1"))["meta"]).toMatchObject({
      created: "2026-01-31T08:00:00.000Z",
    });
  });

  test("no dates: none are shown, and changes are made all the same", async () => {
    const client = served({ User: createMemoryHandler({ dates: false }) }).as("strict");
    const made = await client.post("User", user());
    expect([metaOf(made.resource, "created"), metaOf(made.resource, "lastModified")]).toEqual([
      undefined,
      undefined,
    ]);
    const { resource } = await client.put("User", idOf(made), user({ title: "t" }));
    expect(resource).toEqual(await client.resource("User", idOf(made)));
    expect(await client.matches("User", "meta.created pr")).toEqual([]);
  });

  test("after a write counts: its own id, and what the table made of the values", async () => {
    const memory = createMemoryHandler();
    let count = 0;
    const lower = (attributes: HandlerCreate["attributes"]): HandlerCreate["attributes"] => ({
      ...attributes,
      userName: String(attributes["userName"]).toLowerCase(),
    });
    const client = served({
      User: {
        ...memory,
        create: (context, resource) =>
          memory.create(context, {
            ...resource,
            id: String((count += 1)),
            attributes: lower(resource.attributes),
          }),
        replace: (context, change) =>
          memory.replace(context, { ...change, attributes: lower(change.attributes) }),
      },
    }).as("strict");
    const made = await client.post("User", user({ userName: "ANNA" }));
    expect(made).toMatchObject({
      resource: { id: "1", userName: "anna" },
      location: expect.stringMatching(/\/1$/),
    });
    expect(await client.get("User", "1")).toEqual(made);
    const replaced = await client.put("User", "1", user({ userName: "BERT" }));
    expect(replaced).toEqual(await client.get("User", "1"));
    const patched = await client.patched("User", "1", [{ op: "replace", path: "userName", value: "CARL" }]);
    expect(patched).toEqual(await client.resource("User", "1"));
  });
});

describe("ids of another form", () => {
  const ids = { pattern: /^[a-z0-9]+[:|][A-Za-z0-9@.]{1,64}$/, words: "a user id such as auth0:65f" };

  /** A service over such ids, and those that its handler was asked for. */
  function serving() {
    const asked: string[] = [];
    const memory = createMemoryHandler({ ids });
    const handler: ResourceHandler = {
      ...memory,
      get: (context, id) => {
        asked.push(id);
        return memory.get(context, id);
      },
      create: (context, resource) => memory.create(context, { ...resource, id: "auth0:a@b.c" }),
    };
    return { tested: served({ User: handler }), asked };
  }

  test("are escaped in addresses and found again", async () => {
    const { tested } = serving();
    const made = await tested.as().post("User", user());
    expect(made.location).toBe("https://scim.example/scim/v2/Users/auth0%3Aa%40b.c");
    expect(await tested.as().get("User", "auth0:a@b.c")).toEqual(made);
  });

  test("are what members name", async () => {
    const client = serving().tested.as("strict");
    const made = await client.post("Group", group({ members: [{ value: "auth0:a@b.c", type: "User" }] }));
    expect(made.resource["members"]).toMatchObject([{ value: "auth0:a@b.c" }]);
    const bad = await refusal(client.post("Group", group({ members: [{ value: "a b" }] })));
    expect(bad).toMatchObject({ answer: "400 invalidValue" });
    expect(bad.detail).toContain("members[0].value' must be a user id such as auth0:65f, or a resource id");
  });

  test("are what the addresses of members name, which escape them", async () => {
    const client = serving().tested.as("tolerant");
    const { resource } = await client.post(
      "Group",
      group({ members: [{ value: "auth0:a@b.c", type: "User" }] }),
    );
    const $ref = String(valuesOf(resource, "members")[0]?.["$ref"]);
    expect($ref).toBe("https://scim.example/scim/v2/Users/auth0%3Aa%40b.c");
    const id = String(resource["id"]);
    const after = async (op: string): Promise<unknown> =>
      (await client.patched("Group", id, [{ op, path: "members", value: [{ $ref }] }]))["members"];
    expect(await after("add")).toEqual(resource["members"]);
    expect(await after("remove")).toBeUndefined();
    expect(await after("add")).toEqual(resource["members"]);
    const bad = client.patched("Group", id, [
      { op: "add", path: "members", value: [{ $ref: "Users/%E0%A4" }] },
    ]);
    expect((await refusal(bad)).answer).toBe("400 invalidValue");
  });

  test.each(["1; DROP TABLE users", "../etc", "", "\u0000", "x".repeat(500)])(
    "%j is 404, and the handler is not asked",
    async (id) => {
      const { tested, asked } = serving();
      const client = tested.as("strict");
      expect((await refusal(client.get("User", id))).answer).toBe("404");
      expect((await refusal(client.delete("User", id))).answer).toBe("404");
      expect(asked).toEqual([]);
    },
  );
});

describe("types that nobody keeps", () => {
  test("are 501, whatever is asked of them", async () => {
    const store = createHandlerStore({
      registry: REGISTRY,
      sources: testSources(),
      handlers: { User: createMemoryHandler() },
    });
    const client = testService(undefined, { wrap: () => store }).as("strict");
    await client.post("User", user());
    for (const act of [client.list("Group"), client.get("Group", "g"), client.post("Group", group())])
      expect(await refusal(act)).toMatchObject({
        answer: "501",
        detail: expect.stringMatching(/type Group.*handler/),
      });
  });

  test.each([
    ["Robot", "no resource type"],
    ["__proto__", "no resource type"],
  ])("a handler of %s is refused when the store is made", (type, words) => {
    const handlers = Object.fromEntries([[type, createMemoryHandler()]]);
    const make = (): unknown => createHandlerStore({ registry: REGISTRY, sources: testSources(), handlers });
    expect(make).toThrow(words);
  });

  test.each(["User", "Group"])(
    "hold no references: a report is made where a handler keeps %s alone",
    async (type) => {
      const store = createHandlerStore({
        registry: REGISTRY,
        sources: testSources(),
        handlers: { [type]: createMemoryHandler() },
      });
      const { service, context, as } = testService(undefined, { wrap: () => store });
      if (type === "Group") await as("strict").post("Group", group({ members: [{ value: "u1" }] }));
      const answer = await service.diagnose(context(), { count: null, cursor: null });
      if (answer.kind !== "report") throw new TypeError("The whole was asked for");
      const found: string[] = [];
      for (const { name, batches } of answer.lists)
        for await (const batch of batches) found.push(...batch.map(() => name));
      await answer.close();
      expect(found).toEqual(type === "Group" ? ["orphanedGroupMembers"] : []);
    },
  );

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "The handler of User has no method 'get'"],
    ["the promise of a handler", Promise.resolve(createMemoryHandler()), "no method 'get'"],
    ["one that lists nothing", { ...createMemoryHandler(), list: undefined }, "no method 'list'"],
    [
      "one whose 'getMany' is a list",
      { ...createMemoryHandler(), getMany: [] },
      "'getMany' that is no method",
    ],
    [
      "one that says nothing of versions",
      { ...createMemoryHandler(), comparesVersions: undefined },
      "'comparesVersions'",
    ],
  ])("%s is no handler: it is refused when the store is made", (_, handler, words) => {
    // What programs without types may give.
    const handlers = { User: handler as ResourceHandler };
    const make = (): unknown => createHandlerStore({ registry: REGISTRY, sources: testSources(), handlers });
    expect(make).toThrow(words);
  });

  test.each([0, -1, Number.NaN])("a time of %d ms is refused: every call would be late", (timeout) => {
    const handlers = { User: createMemoryHandler() };
    const make = (): unknown =>
      createHandlerStore({ registry: REGISTRY, sources: testSources(), handlers, timeout });
    expect(make).toThrow("'timeout' is a number of milliseconds above 0");
  });

  test.each([/^u[0-9]+$/g, /^u[0-9]+$/y])(
    "ids by %s, which knows every second one, are refused",
    (pattern) => {
      const handlers = { User: createMemoryHandler({ ids: { pattern, words: "the id of a user" } }) };
      const make = (): unknown =>
        createHandlerStore({ registry: REGISTRY, sources: testSources(), handlers });
      expect(make).toThrow("flag 'g' or 'y'");
    },
  );

  test("statements of hooks are refused: a handler has no transaction of the store", () => {
    const store = createHandlerStore({
      registry: REGISTRY,
      sources: testSources(),
      handlers: { User: createMemoryHandler() },
    });
    const hooks = { User: { statements: () => [] } };
    expect(() => createScimService({ registry: REGISTRY, store, sources: testSources(), hooks })).toThrow(
      "runs no statements",
    );
  });

  test("a hook that plans passes over handlers too", async () => {
    const hooks = {
      User: {
        plan: () => {
          throw new ScimError("invalidValue", "No seat is left.");
        },
      },
    };
    const tested = testService(undefined, { wrap: () => handledStore(REGISTRY), hooks });
    expect((await refusal(tested.as("strict").post("User", user()))).detail).toBe("No seat is left.");
  });
});
