import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { clientOf, ENTERPRISE, GROUP, SEARCH_REQUEST, USER } from "../over-http/client.ts";
import { resourcesOf, type WireAnswer } from "../over-http/exchange.ts";
import { startServer } from "../over-http/server.ts";
import { startOwnServer } from "../over-http/in-process.ts";
import { useInProcess } from "../over-http/use-server.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0";

const client = useInProcess();

const bodyOf = async (path: string): Promise<JsonObject> => {
  const { status, body } = await client.call("GET", path);
  expect(status).toBe(200);
  return body;
};
const list = async (path: string) => resourcesOf(await bodyOf(path));

describe("/ServiceProviderConfig", () => {
  test("R7644-4-01, R7643-5-01 is one object, with all that it must have", async () => {
    const config = await bodyOf("/ServiceProviderConfig");
    expect(config).toMatchObject({
      schemas: expect.arrayContaining([`${CORE}:ServiceProviderConfig`]),
      patch: { supported: true },
      bulk: {
        supported: expect.any(Boolean),
        maxOperations: expect.any(Number),
        maxPayloadSize: expect.any(Number),
      },
      filter: { supported: true, maxResults: expect.any(Number) },
      changePassword: { supported: expect.any(Boolean) },
      sort: { supported: true },
      etag: { supported: true },
    });
    expect(config).not.toHaveProperty("Resources");
  });

  test("R7643-5-02 names the schemes that are accepted", async () => {
    const { authenticationSchemes } = await bodyOf("/ServiceProviderConfig");
    expect(authenticationSchemes).toEqual([
      expect.objectContaining({
        type: "oauthbearertoken",
        name: expect.stringMatching(/\w/),
        description: expect.stringMatching(/\w/),
        specUri: expect.stringContaining("6750"),
      }),
      expect.objectContaining({ type: "oauth2", specUri: expect.stringContaining("6749") }),
    ]);
  });
});

describe("R7644-4-09 what discovery says and what happens agree", () => {
  test("every flag that says supported", async () => {
    const config = await bodyOf("/ServiceProviderConfig");
    const user = await client.user({ userName: "flagged", active: true });
    const answers: Readonly<Record<string, () => Promise<WireAnswer>>> = {
      patch: () => client.patch(user.path, [{ op: "replace", path: "active", value: false }]),
      filter: () => client.call("GET", "/Users?filter=active%20eq%20false"),
      sort: () => client.call("GET", "/Users?sortBy=userName&sortOrder=descending"),
      etag: () => client.call("GET", user.path, { headers: { "If-Match": "*" } }),
      bulk: () => client.call("POST", "/Bulk", { body: { schemas: [], Operations: [] } }),
    };
    for (const [name, send] of Object.entries(answers)) {
      const { status } = await send();
      const supported = JSON.stringify(config[name]).includes('"supported":true');
      expect([name, status !== 501]).toEqual([name, supported]);
    }
    await client.call("DELETE", user.path);
  });

  test("filter.maxResults and the sizes of pages", async () => {
    const small = await startOwnServer({ SCIM_PAGE_SIZE: "2", SCIM_FILTER_MAX_RESULTS: "3" });
    try {
      const narrow = clientOf(small);
      for (const userName of ["a", "b", "c", "d"]) await narrow.user({ userName });
      const { body: config } = await narrow.call("GET", "/ServiceProviderConfig");
      expect(config["filter"]).toEqual({ supported: true, maxResults: 3 });
      expect(config["pagination"]).toMatchObject({ defaultPageSize: 2, maxPageSize: 3 });
      expect(resourcesOf((await narrow.call("GET", "/Users")).body)).toHaveLength(2);
      expect(resourcesOf((await narrow.call("GET", "/Users?count=9")).body)).toHaveLength(3);
      const body = { schemas: [SEARCH_REQUEST], count: 9 };
      expect(resourcesOf((await narrow.call("POST", "/Users/.search", { body })).body)).toHaveLength(3);
    } finally {
      await small.stop();
    }
  });
});

describe("/Schemas", () => {
  test("R7643-7-01, R7644-4-02 has a Schema for each URN in use", async () => {
    const ids = (await list("/Schemas")).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([USER, GROUP, ENTERPRISE, `${CORE}:Schema`]));
    for (const id of ids) {
      const schema = await bodyOf(`/Schemas/${String(id)}`);
      expect(schema).toMatchObject({ id, schemas: [`${CORE}:Schema`], meta: { resourceType: "Schema" } });
    }
  });

  test("R7643-7-02 is found in any letter case", async () => {
    expect((await bodyOf(`/Schemas/${USER.toUpperCase()}`))["id"]).toBe(USER);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("R7643-7-01, R7644-4-08 %s is 405", async (method) => {
    for (const path of ["/Schemas", `/Schemas/${USER}`, "/ResourceTypes/User", "/ServiceProviderConfig"]) {
      const answer = await client.call(method, path, { body: {} });
      expect(answer.status).toBe(405);
      expect(answer.headers.allow).toContain("GET");
    }
  });

  test("R7643-7-01 every attribute of the schema of schemas is readOnly", async () => {
    const text = JSON.stringify(await bodyOf(`/Schemas/${CORE}:Schema`));
    expect(new Set([...text.matchAll(/"mutability":"(\w+)"/g)].map(([, word]) => word))).toEqual(
      new Set(["readOnly"]),
    );
  });

  test.each([
    ["members", GROUP, "immutable"],
    ["emails", USER, "readWrite"],
    ["groups", USER, "readOnly"],
  ])("A-SCH-06 display of %s of %s is %s", async (name, urn, mutability) => {
    const { attributes } = await bodyOf(`/Schemas/${urn}`);
    const display = expect.objectContaining({ name: "display", mutability });
    expect(attributes).toContainEqual(
      expect.objectContaining({ name, subAttributes: expect.arrayContaining([display]) }),
    );
  });

  test("R7643-4.3-01, R7643-3.3-01 an extension has attributes of its own", async () => {
    const { attributes } = await bodyOf(`/Schemas/${ENTERPRISE}`);
    expect(attributes).toMatchObject(
      ["employeeNumber", "costCenter", "organization", "division", "department", "manager"].map((name) => ({
        name,
      })),
    );
  });
});

describe("/ResourceTypes", () => {
  test("R7644-4-03, A-DIS-03 the id of a type is its name", async () => {
    for (const { id, name } of await list("/ResourceTypes")) {
      expect(id).toBe(name);
      expect((await bodyOf(`/ResourceTypes/${String(id)}`))["name"]).toBe(name);
    }
  });

  test("R7644-3.2-01, A-DIS-02 tells each endpoint, from a slash on, where resources are", async () => {
    const types = await list("/ResourceTypes");
    expect(types.map(({ endpoint }) => endpoint)).toEqual(expect.arrayContaining(["/Users", "/Groups"]));
    for (const { endpoint, name } of types) {
      const { body } = await client.call("GET", `${String(endpoint)}?count=1`);
      expect(body["totalResults"], String(name)).toBe(0);
    }
  });
});

describe("every discovery address", () => {
  test.each([
    "/ServiceProviderConfig",
    "/Schemas",
    `/Schemas/${USER}`,
    "/ResourceTypes",
    "/ResourceTypes/User",
  ])("R7644-4-04, R7644-4-06 %s ignores projection, sorting and paging", async (path) => {
    const whole = await bodyOf(path);
    for (const query of [
      "attributes=id",
      "excludedAttributes=name,patch",
      "sortBy=id&count=1&startIndex=2",
    ]) {
      expect(await bodyOf(`${path}?${query}`)).toEqual(whole);
    }
  });

  test.each(["/ServiceProviderConfig", "/Schemas", "/ResourceTypes"])(
    "R7644-4-05, A-DIS-01 %s with a filter is 403",
    async (path) => {
      expect((await client.call("GET", `${path}?filter=id%20pr`)).status).toBe(403);
    },
  );

  test.each(["/ServiceProviderConfig", `/Schemas/${USER}`, "/ResourceTypes/User"])(
    "R7644-4-08 %s has a version, and 304 for who knows it",
    async (path) => {
      const { headers, body } = await client.call("GET", path);
      expect(body["meta"]).toMatchObject({ version: headers.etag });
      const again = await client.call("GET", path, { headers: { "If-None-Match": String(headers.etag) } });
      expect(again).toMatchObject({ status: 304, text: "" });
    },
  );
});

test("R7644-1.3-01 the public address may have no query", async () => {
  await expect(startServer({ SCIM_BASE_URL: "https://id.example/?tenant=a" })).rejects.toThrow(
    /BASE_URL|base-url/,
  );
});
