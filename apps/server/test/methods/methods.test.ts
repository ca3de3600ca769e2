import { METHODS as NODE_METHODS } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf, USER, type Client, type Made } from "../over-http/client.ts";
import { schemaDocument, writeDocuments, type Documents } from "../over-http/documents.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { startOwnServer, type OwnServer } from "../over-http/in-process.ts";

const BADGE = "urn:example:params:scim:schemas:acme:1.0:Badge";
const CENSUS = "urn:example:params:scim:schemas:acme:1.0:Census";

const DOCUMENTS = [
  schemaDocument({ id: BADGE, name: "Badge", attributes: [{ name: "colour", type: "string" }] }),
  schemaDocument({
    id: CENSUS,
    name: "Census",
    attributes: [{ name: "heads", type: "integer", mutability: "readOnly" }],
  }),
  resourceType("Badge", BADGE, { operations: ["create", "read"] }),
  resourceType("Census", CENSUS, {}),
];

function resourceType(name: string, schema: string, more: object): object {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: name,
    name,
    endpoint: `/${name}`,
    schema,
    ...more,
  };
}

let server: OwnServer;
let documents: Documents;
let client: Client;
let user: Made;
let badge: string;

beforeAll(async () => {
  documents = await writeDocuments(DOCUMENTS);
  server = await startOwnServer({ SCIM_SCHEMAS: documents.directory, SCIM_METRICS: "open" });
  client = clientOf(server);
  user = await client.user({ userName: "methodical" });
  const made = await client.call("POST", "/Badge", { body: { schemas: [BADGE], colour: "red" } });
  badge = `/Badge/${String(made.body["id"])}`;
});
afterAll(async () => {
  await server.stop();
  await documents.remove();
});

/** Headers but for those of the one answer: its time, and the id of its request. */
function steady(headers: WireAnswer["headers"]): WireAnswer["headers"] {
  const { date: _date, "x-request-id": _id, ...steadyOnes } = headers;
  return steadyOnes;
}

const READ = "GET, HEAD, OPTIONS";
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Every form of address, and what it offers. */
const ADDRESSES: readonly (readonly [address: string, allow: string])[] = [
  ["", READ],
  ["/", READ],
  ["/Users", "GET, HEAD, POST, OPTIONS"],
  ["/Users/{id}", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"],
  ["/Users/.search", "POST, OPTIONS"],
  ["/.search", "POST, OPTIONS"],
  ["/Bulk", "POST, OPTIONS"],
  ["/Schemas", READ],
  [`/Schemas/${USER}`, READ],
  ["/ResourceTypes", READ],
  ["/ResourceTypes/User", READ],
  ["/ServiceProviderConfig", READ],
  ["/.dry-run/Users", "POST, OPTIONS"],
  ["/.dry-run/Users/{id}", "PUT, PATCH, DELETE, OPTIONS"],
  ["/.dry-run/Bulk", "POST, OPTIONS"],
  // Narrowed by the ResourceType document.
  ["/Badge", "POST, OPTIONS"],
  ["{badge}", READ],
  ["/Badge/.search", "OPTIONS"],
  ["/.dry-run/Badge", "POST, OPTIONS"],
  ["/.dry-run{badge}", "OPTIONS"],
  // Of readOnly attributes alone.
  ["/Census", READ],
  ["/Census/1", READ],
  ["/Census/.search", "POST, OPTIONS"],
];

/** Addresses beside SCIM, what they offer, and methods that they do not. */
const ELSEWHERE: readonly (readonly [path: string, allow: string, others: readonly string[]])[] = [
  ["/admin/v1/tenants", "GET, HEAD, POST", ["PUT", "PATCH", "DELETE", "QUERY", "PROPFIND"]],
  ["/admin/v1/tenants/default", "GET, HEAD, PATCH, DELETE", ["POST", "PUT", "QUERY", "TRACE"]],
  ["/admin/v1/tenants/a.b/connections?x=1", "GET, HEAD, POST", ["PUT", "DELETE"]],
  ["/admin/v1/tenants/default/deleted/User/1/restore", "POST", ["GET", "HEAD", "DELETE"]],
  ["/admin/v1/audit", "GET, HEAD", ["POST", "QUERY"]],
  ["/oauth2/token", "POST", ["GET", "HEAD", "PUT", "PROPFIND", "QUERY"]],
  ["/.well-known/jwks.json", "GET, HEAD", ["POST", "DELETE", "QUERY"]],
  ["/events/default/1/poll", "POST", ["GET", "QUERY"]],
  ["/healthz", "GET, HEAD", ["POST", "QUERY"]],
  ["/metrics", "GET, HEAD", ["POST", "OPTIONS"]],
  ["/docs", "GET, HEAD", ["POST", "PUT"]],
  ["/mcp", "POST", ["GET", "DELETE", "PROPFIND", "QUERY"]],
  ["/rpc/default", "POST", ["GET", "DELETE", "PROPFIND"]],
];

const pathOf = (address: string) => address.replace("{id}", user.id).replace("{badge}", badge);

describe("methods", () => {
  test.each(ADDRESSES)("R7644-3.2-04 OPTIONS %s tells %s", async (address, allow) => {
    const answer = await client.call("OPTIONS", pathOf(address));
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers.allow).toBe(allow);
  });

  test("OPTIONS * asks for no address: 204, whoever sends it", async () => {
    const answer = await exchange(server.origin, { method: "OPTIONS", path: "*" });
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect((await exchange(server.origin, { method: "GET", path: "*" })).status).toBe(404);
  });

  test.each(["/", "/scim", "/Users"])("R7644-3.12-01 %s is 404 that says where SCIM is", async (path) => {
    const answer = await exchange(server.origin, { method: "GET", path });
    expect(answer).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining("below /scim/v2.") },
    });
  });

  test.each(ADDRESSES)(
    "R7644-3.2-03 R7644-3.2-04 R7644-3.3-10 R7644-3.6-07 %s refuses all but %s",
    async (address, allow) => {
      const offered = allow.split(", ");
      const refused = METHODS.filter((method) => !offered.includes(method));
      for (const method of refused) {
        const answer = await client.call(method, pathOf(address), method === "POST" ? { body: {} } : {});
        expect([method, answer.status]).toEqual([method, 405]);
        expect(answer.headers.allow).toBe(allow);
        expect(answer.headers["content-type"]).toBe("application/scim+json; charset=utf-8");
        if (method !== "HEAD") expect(answer.body).toMatchObject({ status: "405" });
      }
      expect(refused.length).toBeGreaterThan(0);
      expect((await client.call("GET", user.path)).body).toEqual(user.body);
    },
  );

  test.each(ADDRESSES.filter(([, allow]) => allow.includes("HEAD")).map(([address]) => address))(
    "R7644-3.4.1-03 R7644-8.1-01 HEAD %s has the status and headers of GET, and no body",
    async (address) => {
      const get = await client.call("GET", pathOf(address));
      const head = await client.call("HEAD", pathOf(address));
      expect(head).toMatchObject({ status: get.status, text: "" });
      expect(steady(head.headers)).toEqual(steady(get.headers));
    },
  );

  // A client of Node.js makes no use of CONNECT but to tunnel.
  test("R7644-3.2-04 no other method is offered anywhere", async () => {
    const others = NODE_METHODS.filter((method) => ![...METHODS, "OPTIONS", "CONNECT"].includes(method));
    expect(others).toEqual(expect.arrayContaining(["PROPFIND", "QUERY", "TRACE"]));
    const answers = [];
    for (const method of others) {
      const { status, headers } = await client.call(method, user.path);
      answers.push([method, status, headers.allow]);
    }
    expect(answers).toEqual(others.map((method) => [method, 405, "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"]));
  });

  test.each(ELSEWHERE)("%s answers all but %s with 405, whoever asks", async (path, allow, others) => {
    for (const method of others) {
      for (const token of [server.token, ""]) {
        const headers = { Authorization: `Bearer ${token}` };
        const answer = await exchange(server.origin, { method, path, headers });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
      }
    }
  });

  test("where there is nothing, no method is told", async () => {
    for (const path of ["/admin/v1/nothing", "/admin/v1/tenants/acme/nothing", "/nowhere", "/docs/none"]) {
      const answer = await exchange(server.origin, { method: "PROPFIND", path });
      expect([path, answer.headers.allow]).toEqual([path, undefined]);
      expect([401, 404]).toContain(answer.status);
    }
  });

  test("OPTIONS asks for a token, and for one that may read", async () => {
    expect((await client.call("OPTIONS", "/Users", { headers: { Authorization: "" } })).status).toBe(401);
  });

  test("R7644-3.8-03 a suffix .scim selects nothing", async () => {
    expect((await client.call("GET", `${user.path}.scim`)).status).toBe(404);
  });
});
