import { readFileSync } from "node:fs";
import { createHandlerStore } from "@scim/core";
import { createMemoryHandler } from "@scim/core/testing";
import { createScimClient, TransportFailure, type TransportAnswer } from "@scim/client/fetch";
import type { ScimHandler } from "@scim/http";
import { createScimTools, type ScimTools, unknownTools } from "@scim/mcp";
import { createDefaultRegistry, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { aService, aToolbox, refusal, versionOf } from "./support/service.ts";

const NAMES_OF_THE_SPECIFICATION = {
  scim_create_user: ["user_data"],
  scim_get_user: ["user_id"],
  scim_update_user: ["user_data", "expected_version", "user_id"],
  scim_delete_user: ["user_id", "expected_version"],
  scim_list_users: ["start_index", "count"],
  scim_search_users: ["attribute", "value"],
  scim_user_exists: ["user_id"],
  scim_create_group: ["group_data"],
  scim_get_group: ["group_id"],
  scim_update_group: ["group_data", "expected_version", "group_id"],
  scim_delete_group: ["group_id", "expected_version"],
  scim_list_groups: ["start_index", "count"],
  scim_search_groups: ["attribute", "value"],
  scim_group_exists: ["group_id"],
  scim_get_schemas: [],
  scim_server_info: [],
};

describe("tools", () => {
  test("have the names and parameters of the specification, and what each does to the world", async () => {
    const tools = new Map((await aToolbox().list()).map((tool) => [tool.name, tool]));
    for (const [name, parameters] of Object.entries(NAMES_OF_THE_SPECIFICATION)) {
      const tool = tools.get(name);
      expect(Object.keys(tool?.inputSchema.properties ?? {}), name).toEqual(
        expect.arrayContaining([...parameters, "tenant_id"]),
      );
      expect(tool?.inputSchema.required, name).not.toContain("expected_version");
      expect(tool?.annotations.readOnlyHint, name).toBe(!/create|update|delete/.test(name));
    }
    for (const name of ["scim_patch_user", "scim_patch_group", "scim_add_members", "scim_remove_members"]) {
      expect(tools.get(name)?.inputSchema.required, name).toContain("expected_version");
    }
    expect(tools.get("scim_delete_user")?.annotations).toMatchObject({
      destructiveHint: true,
      idempotentHint: true,
    });
    expect(tools.get("scim_create_user")?.annotations).toMatchObject({
      destructiveHint: false,
      idempotentHint: false,
    });
  });

  test("take a user through its life, with raw versions in every form", async () => {
    const tools = aToolbox();
    const made = await tools.call("scim_create_user", { user_data: { userName: "bjensen" } });
    const id = String(made["id"]);
    const first = versionOf(made);
    expect(first).toMatch(/^[\w~-]+$/);
    let version = first;
    for (const [at, shape] of [
      (v: string) => v,
      (v: string) => `"${v}"`,
      (v: string) => `W/"${v}"`,
    ].entries()) {
      const changed = await tools.call("scim_update_user", {
        user_data: { id, userName: "bjensen", title: `T${at}` },
        expected_version: shape(version),
      });
      expect(changed["title"]).toBe(`T${at}`);
      version = versionOf(changed);
    }
    const late = await refusal(
      tools.call("scim_update_user", { user_id: id, user_data: { userName: "x" }, expected_version: first }),
    );
    expect(late).toMatchObject({
      code: "refused",
      data: { status: 412, code: "versionMismatch", expectedVersion: first, currentVersion: version },
    });
    const free = await tools.call("scim_update_user", { user_id: id, user_data: { userName: "other" } });
    expect(free).toMatchObject({ id, userName: "other" });
    expect(await tools.call("scim_search_users", { attribute: "userName", value: "OTHER" })).toMatchObject({
      totalResults: 1,
      Resources: [{ id }],
    });
    expect(await tools.call("scim_user_exists", { user_id: id })).toEqual({ exists: true });
    expect(await tools.call("scim_delete_user", { user_id: id, expected_version: versionOf(free) })).toEqual({
      deleted: true,
      id,
    });
    expect(await tools.call("scim_user_exists", { user_id: id })).toEqual({ exists: false });
    expect((await refusal(tools.call("scim_get_user", { user_id: id }))).data).toMatchObject({ status: 404 });
  });

  test("add and remove members on a version, and never send the collection", async () => {
    const tools = aToolbox();
    const group = await tools.call("scim_create_group", { group_data: { displayName: "Crew" } });
    const target = { group_id: String(group["id"]) };
    const added = await tools.call("scim_add_members", {
      ...target,
      members: ["a", { value: "b", type: "User" }],
      expected_version: versionOf(group),
    });
    expect(added).not.toHaveProperty("members");
    const removed = await tools.call("scim_remove_members", {
      ...target,
      members: ["a"],
      expected_version: versionOf(added),
    });
    expect(versionOf(removed)).not.toBe(versionOf(added));
    expect(await tools.call("scim_get_group", target)).toMatchObject({ members: [{ value: "b" }] });
    const late = await refusal(
      tools.call("scim_add_members", { ...target, members: ["c"], expected_version: versionOf(group) }),
    );
    expect(late.data.status).toBe(412);
  });

  test("patch, try out, page by cursor, and explain filters", async () => {
    const tools = aToolbox();
    for (const userName of ["a", "b", "c"]) await tools.call("scim_create_user", { user_data: { userName } });
    const page = await tools.call("scim_query", {
      resource_type: "User",
      filter: "userName pr",
      count: 2,
      attributes: ["userName"],
    });
    expect(page["Resources"]).toHaveLength(2);
    const next = await tools.call("scim_query", {
      resource_type: "User",
      filter: "userName pr",
      count: 2,
      attributes: ["userName"],
      cursor: String(page["nextCursor"]),
    });
    const [last] = next["Resources"] as readonly JsonObject[];
    const pages = [
      ...(page["Resources"] as readonly JsonObject[]),
      ...(next["Resources"] as readonly JsonObject[]),
    ];
    expect(pages.map(({ userName }) => String(userName)).toSorted()).toEqual(["a", "b", "c"]);
    const user = { user_id: String(last?.["id"]) };
    const operations = [{ op: "replace", path: "title", value: "Dr" }];
    const version = versionOf(await tools.call("scim_get_user", user));
    const tried = await tools.call("scim_patch_user", {
      ...user,
      operations,
      expected_version: version,
      dry_run: true,
    });
    expect(tried).toMatchObject({ dry_run: true, valid: true, resource: { title: "Dr" } });
    expect(versionOf(await tools.call("scim_get_user", user))).toBe(version);
    expect(
      await tools.call("scim_patch_user", { ...user, operations, expected_version: version }),
    ).toMatchObject({ title: "Dr" });
    expect(
      await tools.call("scim_explain_filter", {
        filter: 'not (emails[type eq "work"]) and nick pr',
        resource_type: "User",
      }),
    ).toMatchObject({
      valid: false,
      meaning: '(it is not so that one value of emails meets: type equals "work" and nick has a value)',
      attributes: ["emails", "emails.type", "nick"],
      unknownAttributes: ["nick"],
    });
    expect(await tools.call("scim_explain_filter", { filter: "userName eq bjensen" })).toMatchObject({
      valid: false,
      error: { offset: 12 },
    });
  });

  test.each([
    ["long", Array.from({ length: 600 }, (_, at) => `title eq "${at} of a whole list"`).join(" or ")],
    ["deep", `${"(".repeat(150)}title pr${")".repeat(150)}`],
  ])("leave it to the service how %s a filter may be", async (_what, filter) => {
    const query = { resource_type: "User", filter };
    const limits = { filterLength: 32_768, filterDepth: 200 };
    const generous = aToolbox({}, aService({ limits }));
    expect(await generous.call("scim_query", query)).toMatchObject({ totalResults: 0 });
    expect(await generous.call("scim_explain_filter", { filter })).toMatchObject({ valid: true });
    const error = await refusal(aToolbox().call("scim_query", query));
    expect([error.code, error.data]).toMatchObject(["refused", { status: 400, code: "invalidFilter" }]);
  });

  test("are the same for a type of one's own, as far as it offers the operations", async () => {
    const registry = createDefaultRegistry();
    const urn = "urn:example:params:scim:schemas:core:2.0:EdgeDevice";
    registry.addSchema({
      id: urn,
      name: "EdgeDevice",
      attributes: [
        { name: "serial", type: "string", required: true },
        { name: "rank", type: "integer" },
        {
          name: "members",
          type: "complex",
          multiValued: true,
          subAttributes: [
            { name: "value", type: "string" },
            { name: "$ref", type: "reference", referenceTypes: ["User"] },
          ],
        },
      ],
    });
    const operations = ["create", "read", "query", "patch"];
    registry.addResourceType({ name: "EdgeDevice", endpoint: "/EdgeDevices", schema: urn, operations });
    const tools = aToolbox({}, aService({ registry }));
    const names = (await tools.list()).map(({ name }) => name);
    expect(names.filter((name) => name.includes("edge_device"))).toEqual([
      "scim_create_edge_device",
      "scim_get_edge_device",
      "scim_patch_edge_device",
      "scim_list_edge_devices",
      "scim_search_edge_devices",
      "scim_edge_device_exists",
      "scim_add_edge_device_members",
      "scim_remove_edge_device_members",
    ]);
    const device = await tools.call("scim_create_edge_device", {
      edge_device_data: { serial: "4711", rank: 3 },
    });
    expect(await tools.call("scim_search_edge_devices", { attribute: "rank", value: "3" })).toMatchObject({
      Resources: [{ id: device["id"], serial: "4711" }],
    });
    const target = { edge_device_id: String(device["id"]), expected_version: versionOf(device) };
    const patched = await tools.call("scim_patch_edge_device", {
      ...target,
      operations: [{ op: "remove", path: "rank" }],
    });
    expect(patched).not.toHaveProperty("rank");
  });

  test.each([
    ["scim_fly", {}, "methodNotFound", /no tool 'scim_fly'/],
    ["scim_get_user", {}, "invalidParams", /'user_id' is missing/],
    ["scim_get_user", { user_id: 7 }, "invalidParams", /'user_id' is a text/],
    ["scim_get_user", { user_id: "7", colour: "red" }, "invalidParams", /no parameter 'colour'/],
    ["scim_create_user", { user_data: ["a"] }, "invalidParams", /'user_data' is an object/],
    ["scim_update_user", { user_data: {} }, "invalidParams", /which resource is meant/],
    ["scim_update_user", { user_data: { id: "1" }, user_id: "2" }, "invalidParams", /name two resources/],
    ["scim_get_user", { user_id: ".." }, "invalidParams", /no part of an address/],
    ["scim_user_exists", { user_id: "." }, "invalidParams", /no part of an address/],
    ["scim_delete_user", { user_id: ".." }, "invalidParams", /no part of an address/],
    ["scim_delete_user", { user_id: "1", expected_version: 'a" "b' }, "invalidParams", /is no version/],
    [
      "scim_patch_user",
      { user_id: "1", operations: [{ op: "add" }] },
      "invalidParams",
      /'expected_version' is missing/,
    ],
    [
      "scim_add_members",
      { group_id: "1", members: [{}], expected_version: "x" },
      "invalidParams",
      /'value' is one/,
    ],
    ["scim_search_users", { attribute: "a b", value: "x" }, "invalidParams", /no path of an attribute/],
    ["scim_query", { resource_type: "User", filter: "userName eq x y" }, "invalidParams", /\^/],
    ["scim_query", { resource_type: "Planet" }, "invalidParams", /one of User, Group/],
    ["scim_list_users", { start_index: 1.5 }, "invalidParams", /whole number/],
    ["scim_query", { resource_type: "User", cursor: "x", start_index: 2 }, "invalidParams", /not both/],
    ["scim_list_users", { tenant_id: "globex" }, "refused", /no such tenant/],
    ["scim_create_user", { user_data: { userName: "x", groups: [{ value: "1" }] } }, "refused", /groups/],
    ["scim_get_schemas", { schema_id: "urn:x" }, "refused", /no such schema/],
  ] as const)("%s refuses %j", async (name, params, code, words) => {
    const error = await refusal(aToolbox({ tenant: "acme" }).call(name, params));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(words)]);
    expect(error.data.status).toBeGreaterThanOrEqual(400);
    expect(error.data.remedy).not.toBe("");
  });

  test("refuse what is nested beyond measure", async () => {
    let deep: JsonObject = {};
    for (let depth = 0; depth < 5000; depth += 1) deep = { deep };
    const error = await refusal(aToolbox().call("scim_create_user", { user_data: deep }));
    expect(error.message).toMatch(/nested deeper/);
  });
});

describe("a service that is none", () => {
  const answering = (answer: () => Promise<TransportAnswer>): ScimTools => {
    const transport = { send: answer, close: async () => undefined };
    const client = createScimClient({ baseUrl: "https://id.example", transport, retries: { attempts: 1 } });
    return createScimTools({ client });
  };
  const page = { status: 200, headers: { "content-type": "text/html" }, body: "<html>" };

  test.each([
    ["answers with a web page", async () => page, { status: 502, code: "notScim" }],
    [
      "cannot be reached",
      () => Promise.reject(new TransportFailure("unsent", "No connection.")),
      { status: 502, code: "connectionFailed" },
    ],
    [
      "sends more than is read",
      () => Promise.reject(new TransportFailure("tooLarge", "Too large.")),
      { status: 502, code: "tooLarge", remedy: expect.stringContaining("scim_query") },
    ],
    [
      "is too busy",
      async () => ({ ...page, status: 429, headers: { "retry-after": "120" } }),
      { status: 429, retryAfter: 120 },
    ],
  ] as const)("%s: a call ends, and says so", async (_what, answer, data) => {
    const tools = answering(answer);
    expect((await refusal(tools.call("scim_get_user", { user_id: "1" }))).data).toMatchObject(data);
    expect((await refusal(tools.list())).data).toMatchObject(data);
  });

  test("gives no versions: resources are changed as they are, and the parameter says by what", async () => {
    const registry = createDefaultRegistry();
    const handlers = { User: createMemoryHandler({ versions: "none" }) };
    const store = createHandlerStore({ registry, sources: { digest: (text) => text }, handlers });
    const tools = aToolbox({}, aService({ registry, store }));
    const { id = "" } = await tools.call("scim_create_user", { user_data: { userName: "a" } });
    const operations = [{ op: "add", path: "title", value: "x" }];
    const changed = await tools.call("scim_patch_user", { user_id: id, operations, expected_version: "*" });
    expect(changed).toMatchObject({ title: "x" });
    const tool = (await tools.list()).find(({ name }) => name === "scim_patch_user");
    const said = JSON.stringify(tool?.inputSchema.properties["expected_version"]);
    expect(said).toContain("Where the service gives no versions, `*`");
  });

  test.each([
    ["on a version is sent again", "v1", 2],
    ["on any version is not, since it might be made twice", "*", 1],
  ])("loses an answer: a change %s", async (_what, version, times) => {
    let sent = 0;
    const transport = {
      send: async ({ method }: { readonly method: string }): Promise<TransportAnswer> => {
        if (method !== "PATCH") return { status: 404, headers: {}, body: "" };
        sent += 1;
        throw new TransportFailure("broken", "The connection broke.");
      },
      close: async () => undefined,
    };
    const retries = { attempts: 2, baseDelay: 1 };
    const tools = createScimTools({
      client: createScimClient({ baseUrl: "https://id.example", transport, retries }),
    });
    const operations = [{ op: "add", path: "title", value: "x" }];
    const call = tools.call("scim_patch_user", { user_id: "1", operations, expected_version: version });
    expect((await refusal(call)).data).toMatchObject({ code: "unknownOutcome" });
    expect(sent).toBe(times);
  });

  test("is not what a fault of a tool is taken for", async () => {
    const faults: unknown[] = [];
    const fault = new RangeError("secret");
    const tools = aToolbox({
      resourceTypes: () => Promise.reject(fault),
      onFault: (thrown) => faults.push(thrown),
    });
    const error = await refusal(tools.call("scim_get_user", { user_id: "1" }));
    expect([error.number, error.data.status, error.message]).toEqual([-32_603, 500, "The tool failed."]);
    expect(faults).toEqual([fault]);
  });

  test("has users and groups, where it does not tell its types", async () => {
    const tools = answering(async () => ({ status: 404, headers: {}, body: "" }));
    const names = (await tools.list()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["scim_get_user", "scim_add_members"]));
    const dry = tools.call("scim_create_user", { user_data: {}, dry_run: true });
    expect((await refusal(dry)).data).toMatchObject({
      status: 501,
      detail: expect.stringContaining("dry runs"),
    });
  });
});

test("docs/tools.md names every tool for users with its parameters in their order, and the tools for all", async () => {
  const page = readFileSync(new URL("../../../docs/tools.md", import.meta.url), "utf8");
  const rows = new Map(
    [...page.matchAll(/^\| `(scim_\w+)`[^|]*\|([^|]*)\|/gm)].map(([, name = "", cell = ""]) => [
      name,
      [...cell.matchAll(/`([a-z_]+)\??`/g)].map(([, parameter]) => parameter),
    ]),
  );
  for (const { name, inputSchema } of await aToolbox().list()) {
    const told = rows.get(name);
    if (/_group/.test(name) || name === "scim_remove_members") continue;
    // By position, a parameter is the one that the table has there.
    expect(Object.keys(inputSchema.properties).slice(0, told?.length ?? 0), name).toEqual(told ?? ["?"]);
    const required = inputSchema.required.filter((parameter) => !told?.includes(parameter));
    expect(required, name).toEqual([]);
  }
  for (const [, block = ""] of page.matchAll(/^```json\n(.*?)^```$/gms))
    expect(() => JSON.parse(block) as unknown).not.toThrow();
});

describe("access", () => {
  const names = async (access: object): Promise<readonly string[]> =>
    (await aToolbox({ access }).list()).map(({ name }) => name);

  test("scopes decide what is listed, and what may be done", async () => {
    const scopes = new Set(["scim:read", "scim:write:Group"]);
    const listed = await names({ scopes });
    expect(listed).toEqual(
      expect.arrayContaining(["scim_get_user", "scim_update_group", "scim_add_members"]),
    );
    expect(listed).not.toContain("scim_create_user");
    expect(listed).not.toContain("scim_delete_group");
    const error = await refusal(aToolbox({ access: { scopes } }).call("scim_create_user", { user_data: {} }));
    const remedy = expect.stringContaining("ask whoever set the tools up");
    expect(error.data).toMatchObject({ status: 403, code: "forbidden", remedy });
    const unknown = await refusal(aToolbox({ access: { scopes } }).call("scim_fly", {}));
    expect(unknown.data).toMatchObject({ remedy: expect.stringMatching(/tools\/list.+rpc\.discover/) });
  });

  test.each([".", "..", "\ud800"])("an id that no address can name, %j, is refused", async (id) => {
    const tools = aToolbox();
    const given = {
      user_id: id,
      expected_version: "1",
      operations: [{ op: "add", path: "title", value: "x" }],
    };
    const calls = [
      tools.call("scim_get_user", { user_id: id }),
      tools.call("scim_user_exists", { user_id: id }),
      tools.call("scim_delete_user", { user_id: id }),
      tools.call("scim_update_user", { user_id: id, user_data: { userName: "a" } }),
      tools.call("scim_patch_user", given),
      tools.call("scim_add_members", { group_id: id, members: ["a"], expected_version: "1" }),
    ];
    for (const call of calls) {
      const detail = "What stands for the id can be no part of an address.";
      expect((await refusal(call)).data).toMatchObject({ status: 400, detail });
    }
  });

  test("a read-only toolbox and an allow-list narrow them further", async () => {
    const readers = await names({ readOnly: true });
    expect(readers).toContain("scim_query");
    expect(readers.filter((name) => /create|update|delete|patch|add|remove/.test(name))).toEqual([]);
    expect(await names({ allow: ["scim_get_*", "scim_query"], readOnly: true })).toEqual(
      expect.arrayContaining(["scim_get_user", "scim_get_group", "scim_get_schemas", "scim_query"]),
    );
    expect(await names({ allow: ["scim_get_user"] })).toEqual(["scim_get_user"]);
  });

  test("an allow-list is told of what it names in vain", () => {
    const registry = createDefaultRegistry();
    const types = registry.resourceTypes().flatMap(({ name, endpoint, ...of }) => {
      const schema = registry.schema(of.schema);
      return schema === undefined ? [] : [{ name, endpoint, schema, extensions: [] }];
    });
    const allow = ["scim_get_*", "scim_qurey", "scim_query", "*_devices"];
    expect(unknownTools(allow, types)).toEqual(["scim_qurey", "*_devices"]);
  });

  test("without known scopes, what the service refuses is not listed any more", async () => {
    const tools = aToolbox({}, aService({ scopes: ["scim:read"] }));
    const error = await refusal(tools.call("scim_delete_user", { user_id: "1" }));
    expect(error.data).toMatchObject({ status: 403, detail: expect.stringContaining("scim:delete") });
    const listed = (await tools.list()).map(({ name }) => name);
    expect(listed).not.toContain("scim_delete_user");
    expect(listed).toContain("scim_get_user");
  });

  test("what the service refuses of one resource type says nothing of a query of another", async () => {
    const tools = aToolbox({}, aService({ scopes: ["scim:read:Group"] }));
    const error = await refusal(tools.call("scim_query", { resource_type: "User" }));
    expect(error.data).toMatchObject({ status: 403 });
    expect(await tools.call("scim_query", { resource_type: "Group" })).toMatchObject({ Resources: [] });
    expect((await tools.list()).map(({ name }) => name)).toContain("scim_query");
  });

  const READING = "get|list|search|query|explain|server|user_exists|group_exists";
  test.each([
    ["scim:read", `(?:${READING})`],
    ["scim:read scim:write:Group", `(?:${READING}|(?:create|update|patch)_group|add|remove)`],
    ["scim:read scim:delete", `(?:${READING}|delete)`],
    // Whether there are dry runs is not told to this one.
    ["scim:write", "(?:create|update|patch|delete|add|remove|explain)"],
    ["scim", ""],
  ])("the service is asked what '%s' opens", async (scopes, opened) => {
    const handler = aService({ scopes: scopes.split(" ") });
    const all = (await aToolbox().list()).map(({ name }) => name);
    const listed = (await aToolbox({ access: { ask: true } }, handler).list()).map(({ name }) => name);
    expect(listed).toEqual(all.filter((name) => new RegExp(`^scim_${opened}`).test(name)));
  });

  test("a service that does not answer what it is asked of rights is not waited for once the tools are given up", async () => {
    const handler = aService({ scopes: ["scim:read"] });
    const ended = new AbortController();
    const silent: ScimHandler = {
      ...handler,
      handle: (request) => {
        if (!request.target.endsWith("?count=0")) return handler.handle(request);
        ended.abort();
        return new Promise(() => undefined);
      },
    };
    const tools = aToolbox({ access: { ask: true }, signal: ended.signal }, silent);
    expect((await tools.list()).map(({ name }) => name)).toContain("scim_get_user");
  });
});
