import { createScimClient } from "@scim/client";
import { createInProcessTransport } from "@scim/client/in-process";
import {
  createDefaultRegistry,
  defineSchema,
  ENTERPRISE_USER_URN,
  SERVICE_PROVIDER_CONFIG_EXTENSION_URN as EXTENSION,
  USER_URN,
} from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { scripted, type Step } from "./support/scripted.ts";
import { aService, TOKEN } from "./support/service.ts";

const SPACE = defineSchema({
  id: "urn:example:params:scim:schemas:acme:1.0:Space",
  name: "parking space",
  attributes: [
    { name: "label", type: "string", required: true },
    { name: "taken", type: "boolean", mutability: "readOnly" },
  ],
});
const BADGE = defineSchema({
  id: "urn:example:params:scim:schemas:extension:acme:1.0:User",
  name: "Badge",
  attributes: [{ name: "number", type: "integer" }],
});

function aClient() {
  const registry = createDefaultRegistry();
  registry.addSchema(SPACE);
  registry.addSchema(BADGE);
  registry.addResourceType({ name: "ParkingSpace", endpoint: "/ParkingSpaces", schema: SPACE.id });
  registry.addResourceType({
    name: "User",
    endpoint: "/Users",
    schema: USER_URN,
    schemaExtensions: [ENTERPRISE_USER_URN, BADGE.id].map((schema) => ({ schema, required: false })),
  });
  const transport = createInProcessTransport(aService({ registry }));
  return createScimClient({ baseUrl: "https://id.example/scim/v2", auth: TOKEN, transport });
}

describe("resource types", () => {
  test("that a service has can be used at once", async () => {
    const client = aClient();
    const types = await client.discovery.resourceTypes();
    expect(types.map(({ name, endpoint, extensions }) => [name, endpoint, extensions.length])).toEqual([
      ["User", "/Users", 2],
      ["Group", "/Groups", 0],
      ["ParkingSpace", "/ParkingSpaces", 0],
    ]);
    const [users] = types;
    if (users === undefined) throw new TypeError("There are users.");
    const made = await client.resource(users).create({ userName: "a", [BADGE.id]: { number: 7 } });
    expect(made).toMatchObject({ schemas: [USER_URN, BADGE.id], [BADGE.id]: { number: 7 } });
  });

  test.each<readonly [string, Step, Step]>([
    [
      "types without a schema",
      { body: { totalResults: 1, Resources: [{ name: "X", endpoint: "/X", schema: "urn:x" }] } },
      { body: { totalResults: 0 } },
    ],
    [
      "types without an endpoint",
      { body: { totalResults: 1, Resources: [{ name: "X" }] } },
      { body: { totalResults: 0 } },
    ],
    [
      "schemas without attributes",
      { body: { totalResults: 0 } },
      { body: { totalResults: 1, Resources: [{ id: "urn:x" }] } },
    ],
    [
      "attributes without a type",
      { body: { totalResults: 0 } },
      { body: { totalResults: 1, Resources: [{ id: "urn:x", attributes: [{ name: "a" }] }] } },
    ],
  ])("%s are an error", async (_what, types, schemas) => {
    const { client } = scripted([({ path }) => (path.endsWith("/Schemas") ? schemas : types)]);
    await expect(client.discovery.resourceTypes()).rejects.toMatchObject({ code: "invalidMessage" });
  });

  test("are found in bare lists, as RFC 7643 §8.6 and §8.7 show them", async () => {
    const { client } = scripted([
      ({ path }) => ({
        body: path.endsWith("/Schemas")
          ? [{ id: "urn:x", attributes: [] }]
          : [{ name: "X", endpoint: "/Xs", schema: "urn:x" }],
      }),
    ]);
    expect(await client.discovery.resourceTypes()).toMatchObject([{ name: "X", schema: { id: "urn:x" } }]);
  });

  test("say what may be done with their resources, where the service narrows that", async () => {
    const schema = { id: "urn:x", attributes: [] };
    const types: Step = {
      body: {
        totalResults: 2,
        Resources: [
          { name: "X", endpoint: "/Xs", schema: "urn:x", operations: ["query", "read", "fly"] },
          { name: "Y", endpoint: "/Ys", schema: "urn:x" },
        ],
      },
    };
    const schemas: Step = { body: { totalResults: 1, Resources: [schema] } };
    const { client } = scripted([({ path }) => (path.endsWith("/Schemas") ? schemas : types)]);
    const found = await client.discovery.resourceTypes();
    expect(found.map(({ operations }) => operations)).toEqual([["read", "query"], undefined]);
  });

  test("with an absolute endpoint, or one without its slash, are found", async () => {
    const schema = { id: "urn:x", attributes: [] };
    const found = (endpoint: string) => ({ name: "X", endpoint, schema: "urn:X" });
    const types: Step = {
      body: { totalResults: 2, Resources: [found("https://id.example/scim/v2/Xs"), found("Ys")] },
    };
    const schemas: Step = { body: { totalResults: 1, Resources: [schema] } };
    const { client } = scripted([({ path }) => (path.endsWith("/Schemas") ? schemas : types)]);
    expect((await client.discovery.resourceTypes()).map(({ endpoint }) => endpoint)).toEqual(["/Xs", "/Ys"]);
  });
});

describe("what a service cuts into pages", () => {
  const all = Array.from({ length: 5 }, (_, n) => ({ id: `urn:x:${n}`, attributes: [] }));
  /** A service with pages of two, and what it was asked. */
  const paged = (page: (startIndex: number, cursor: string | null) => object) =>
    scripted([
      ({ path }) => {
        const query = new URL(path, "https://id.example").searchParams;
        return { body: page(Number(query.get("startIndex") ?? 1), query.get("cursor")) };
      },
    ]);
  const cut = (startIndex: number) => all.slice(startIndex - 1, startIndex + 1);
  const ids = all.map(({ id }) => id);

  test.each<readonly [string, (startIndex: number, cursor: string | null) => object]>([
    ["index", (startIndex) => ({ totalResults: 5, itemsPerPage: 2, startIndex, Resources: cut(startIndex) })],
    [
      "cursor",
      (_, cursor) => {
        const next = Number(cursor ?? 1) + 2;
        return { Resources: cut(next - 2), ...(next > 5 ? {} : { nextCursor: String(next) }) };
      },
    ],
    ["pages that overlap", (at) => ({ totalResults: 5, Resources: cut(Math.max(1, at - 1)) })],
  ])("is read to its end by %s", async (_by, page) => {
    const { client } = paged(page);
    expect((await client.discovery.schemas()).map(({ id }) => id)).toEqual(ids);
  });

  test("is asked for once where it is whole (R7644-4-04)", async () => {
    const { client, requests } = paged(() => ({ totalResults: 5, Resources: all }));
    expect(await client.discovery.schemas()).toHaveLength(5);
    expect(requests).toHaveLength(1);
  });

  test("may be resource types, too", async () => {
    const [schema] = all;
    const types = ["A", "B", "C"].map((name) => ({ name, endpoint: `/${name}s`, schema: schema?.id }));
    const { client } = scripted([
      ({ path }) => {
        const { pathname, searchParams } = new URL(path, "https://id.example");
        if (pathname.endsWith("/Schemas")) return { body: { totalResults: 1, Resources: [schema] } };
        const at = Number(searchParams.get("startIndex") ?? 1);
        return { body: { totalResults: 3, Resources: types.slice(at - 1, at) } };
      },
    ]);
    expect((await client.discovery.resourceTypes()).map(({ name }) => name)).toEqual(["A", "B", "C"]);
  });

  const grown = (startIndex: number) => ({ id: `urn:x:${startIndex}`, attributes: [] });
  test.each<readonly [string, string, (startIndex: number, cursor: string | null) => object, number]>([
    [
      "promises more than it has",
      "pagesMissing",
      (at) => ({ totalResults: 9, startIndex: at, Resources: cut(at) }),
      5,
    ],
    ["gives the same page again", "pagesRepeat", () => ({ totalResults: 9, Resources: all }), 5],
    ["leads in a circle", "pagesRepeat", () => ({ Resources: all, nextCursor: "on" }), 5],
    [
      "leads on to nothing",
      "pagesMissing",
      (_, cursor) => ({ totalResults: 5, Resources: cursor === null ? all : [], nextCursor: "on" }),
      5,
    ],
    [
      "does not come to an end",
      "pagesEndless",
      (at) => ({ totalResults: 1e9, Resources: [grown(at)] }),
      1000,
    ],
    [
      "gives more than anybody has",
      "pagesEndless",
      (at) => ({ totalResults: 1e9, Resources: Array.from({ length: 4000 }, (_, n) => grown(at + n)) }),
      12_000,
    ],
  ])("by a service that %s is an error: %s", async (_what, code, page, read) => {
    const { client } = paged(page);
    await expect(client.discovery.schemas()).rejects.toMatchObject({ name: "PagingError", code, read });
  });
});

describe("capabilities", () => {
  test("are asked for once, and again where that failed", async () => {
    const { client, requests } = scripted(
      [
        { fails: "broken" },
        { body: { bulk: { supported: true, maxOperations: 5, maxPayloadSize: 100 }, sort: {} } },
      ],
      { retries: { attempts: 1 } },
    );
    await expect(client.discovery.capabilities()).rejects.toMatchObject({ code: "connectionFailed" });
    for (let n = 0; n < 2; n += 1) {
      expect(await client.discovery.capabilities()).toMatchObject({
        bulk: { maxOperations: 5 },
        sort: false,
        cursor: false,
      });
    }
    expect(requests).toHaveLength(2);
  });

  test.each<readonly [string, Step]>([
    [
      "a page of something else answered",
      { headers: { "content-type": "text/html" }, body: "<h1>Back soon</h1>" },
    ],
    ["the answer was cut off", { fails: "cutOff" }],
    ["credentials were refused", { status: 401 }],
    ["the service failed", { status: 503 }],
  ])("are little while %s, and asked for again", async (_what, step) => {
    const told = { body: { sort: { supported: true }, [EXTENSION]: { dryRun: { supported: true } } } };
    const { client } = scripted([step, step, told], { retries: { attempts: 1 }, auth: null });
    expect(await client.discovery.capabilities()).toMatchObject({ sort: false });
    // Who took that for no dry runs might make the change that was to be tried out.
    const untold = client.users.dryRun.delete("1");
    await expect(untold).rejects.toMatchObject({ code: expect.not.stringMatching("notOffered") });
    expect(await client.discovery.capabilities()).toMatchObject({ sort: true });
    expect(await client.discovery.configExtension()).toMatchObject({ dryRun: true });
  });

  test("beyond the RFCs are asked for by name, once, and by those alone who want to know", async () => {
    const { client, requests } = scripted([
      { body: { sort: { supported: true } } },
      { body: { [EXTENSION]: { dryRun: { supported: true }, more: 1 } } },
    ]);
    expect(await client.discovery.capabilities()).not.toHaveProperty("dryRun");
    for (let n = 0; n < 2; n += 1) {
      expect(await client.discovery.configExtension()).toEqual({ dryRun: true, versionCoversDerived: false });
    }
    expect(requests.map(({ path }) => path.split("?")[1])).toEqual([undefined, `attributes=${EXTENSION}`]);
  });

  test("beyond the RFCs are asked for once of a service that refuses the question", async () => {
    const { client, requests } = scripted([{ status: 400, body: { scimType: "invalidValue" } }]);
    for (let n = 0; n < 2; n += 1)
      expect(await client.discovery.configExtension()).toEqual({
        dryRun: false,
        versionCoversDerived: false,
      });
    expect(requests).toHaveLength(1);
  });

  test("are waited for by each caller as long as that one likes", async () => {
    const controller = new AbortController();
    const { client, requests } = scripted([{ body: { sort: { supported: true } } }]);
    const given = client.discovery
      .capabilities({ signal: controller.signal })
      .catch((error: unknown) => error);
    const others = client.discovery.capabilities();
    controller.abort();
    expect(await given).toMatchObject({ code: "aborted" });
    expect(await others).toMatchObject({ sort: true });
    expect(requests).toHaveLength(1);
  });

  test.each<Step>([
    { status: 500, body: {} },
    { status: 200, headers: { "content-type": "text/html" }, body: "<p>" },
    { body: "[]" },
    { body: { bulk: true, pagination: [], filter: { maxResults: -1 } } },
  ])("of a service that tells nonsense are the least: %j", async (step) => {
    const { client } = scripted([step], { retries: { attempts: 1 } });
    expect(await client.discovery.capabilities()).toMatchObject({
      bulk: null,
      cursor: false,
      maxPageSize: null,
    });
  });

  test.each<readonly [object, boolean]>([
    [{}, true],
    [{ schemas: [], totalResults: 1, Resources: [{ patch: { supported: true } }] }, true],
    [{ patch: null }, true],
    [{ patch: { supported: true } }, true],
    [{ patch: { supported: false } }, false],
    [{ patch: { supported: "False" } }, false],
    [{ patch: false }, false],
  ])("hold PATCH unless it is denied: %j", async (body, patch) => {
    const { client } = scripted([{ body }]);
    expect(await client.discovery.capabilities()).toMatchObject({ patch });
  });

  test("of a service that tells them as text are what it says", async () => {
    const supported = "true";
    const { client } = scripted([
      {
        body: {
          patch: { supported: "True" },
          bulk: { supported, maxOperations: "10", maxPayloadSize: "5000" },
          filter: { supported, maxResults: "50" },
          sort: { supported: "false" },
          pagination: { cursor: "true", maxPageSize: "none" },
        },
      },
    ]);
    expect(await client.discovery.capabilities()).toEqual({
      patch: true,
      bulk: { maxOperations: 10, maxPayloadSize: 5000 },
      filter: true,
      sort: false,
      versions: false,
      cursor: true,
      maxPageSize: 50,
    });
  });

  test.each([401, 403, 404, 501])("of a service that answers %s are the least", async (status) => {
    const { client } = scripted([{ status, body: {} }]);
    expect(await client.discovery.capabilities()).toMatchObject({
      patch: true,
      bulk: null,
      cursor: false,
    });
    const code = status === 401 ? "unauthorized" : "notOffered";
    await expect(client.users.dryRun.delete("1")).rejects.toMatchObject({ code });
  });
});
