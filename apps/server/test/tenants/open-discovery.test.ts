import { describe, expect, test } from "vitest";
import { startAdministration, type Administration } from "../admin/administering.ts";
import { eventually } from "../eventually.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";

const COLOUR = {
  id: "urn:example:params:scim:schemas:core:2.0:Colour",
  name: "Colour",
  attributes: [{ name: "tone", type: "string" }],
};
const COLOUR_TYPE = { name: "Colour", endpoint: "/Colours", schema: COLOUR.id };

/** A request without a token. */
function visit(
  { origin }: Administration,
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<WireAnswer> {
  return exchange(origin, { method, path, headers });
}

async function open(server: Administration, tenant: string): Promise<void> {
  const changed = await server.send("PATCH", `/tenants/${tenant}`, {
    match: "*",
    body: { discovery: "open" },
  });
  expect(changed).toMatchObject({ status: 200, body: { discovery: "open" } });
}

const DISCOVERY = [
  "/ServiceProviderConfig",
  "/Schemas",
  "/Schemas/urn:ietf:params:scim:schemas:core:2.0:User",
  "/ResourceTypes",
  "/ResourceTypes/User",
];

describe.each(ENGINES)("a tenant whose discovery is open, on $name", (engine) => {
  test("R7643-5-03, R7644-4-10 tells everybody at its address what it tells those with a token, and nobody else's", async () => {
    const server = await startAdministration((await engine.make()).environment);
    const token = await server.tenantToken("acme");
    await server.tenantToken("globex");
    const own = { match: 0, body: JSON.stringify([COLOUR, COLOUR_TYPE]) };
    const headers = { "content-type": "application/json" };
    expect(await server.send("POST", "/tenants/acme/schemas", { ...own, headers })).toMatchObject({
      status: 200,
    });
    for (const path of DISCOVERY)
      expect(await visit(server, `/scim/acme/v2${path}`), path).toMatchObject({ status: 401 });
    await open(server, "acme");
    const ownType = "/scim/acme/v2/ResourceTypes/Colour";
    await eventually(async () => expect((await visit(server, ownType)).status).toBe(200));
    for (const path of [...DISCOVERY, `/Schemas/${COLOUR.id}`]) {
      const at = `/scim/acme/v2${path}`;
      const told = await visit(server, at);
      expect(told.status, path).toBe(200);
      const known = await visit(server, at, { headers: { Authorization: `Bearer ${token}` } });
      expect(told.body, path).toEqual(known.body);
      expect(told.headers["etag"], path).toBe(known.headers["etag"]);
      // A list has no tag.
      const { etag = null } = told.headers;
      const current = etag === null ? {} : { "If-None-Match": etag };
      expect((await visit(server, at, { headers: current })).status, path).toBe(etag === null ? 200 : 304);
      expect((await visit(server, at, { method: "HEAD" })).status, path).toBe(200);
    }
    expect((await visit(server, "/scim/acme/v2/Schemas/none")).status).toBe(404);
    for (const at of ["/scim/v2", "/scim/globex/v2", "/scim/default/v2", "/scim/none/v2"])
      for (const path of DISCOVERY) {
        const answer = await visit(server, at + path);
        expect([answer.status, answer.headers["www-authenticate"]], at + path).toEqual([
          401,
          expect.stringContaining("Bearer"),
        ]);
      }
  });

  test("R7644-2-02 asks for a token everywhere else, and for a good one where one is sent", async () => {
    const server = await startAdministration((await engine.make()).environment);
    await server.tenantToken("acme");
    await open(server, "acme");
    const status = async (path: string, of: Parameters<typeof visit>[2] = {}): Promise<number> =>
      (await visit(server, `/scim/acme/v2${path}`, of)).status;
    for (const path of ["/Users", "/Users/1", "/Groups", "/Me", "/", "/Diagnostics/ReferentialConsistency"])
      expect(await status(path), path).toBe(401);
    expect(await status("/Users/.search", { method: "POST" })).toBe(401);
    expect(await status("/Bulk", { method: "POST" })).toBe(401);
    for (const authorization of ["Bearer x", "x", "Basic c2NpbTpzY2lt", "Bearer scim_acme_x"])
      expect(await status("/Schemas", { headers: { Authorization: authorization } }), authorization).toBe(
        401,
      );
    expect(await status("/Schemas", { method: "POST" })).toBe(405);
    expect(await status("/Schemas", { method: "DELETE" })).toBe(405);
    expect((await visit(server, "/scim/acme/v2/Schemas?filter=id%20pr")).status).toBe(403);
  });

  test("tells nothing while it is suspended, and within a second after it asks for tokens again", async () => {
    const server = await startAdministration((await engine.make()).environment);
    await server.tenantToken("acme");
    await open(server, "acme");
    const told = async (): Promise<number> =>
      (await visit(server, "/scim/acme/v2/ServiceProviderConfig")).status;
    expect(await told()).toBe(200);
    const change = (body: object) => server.send("PATCH", "/tenants/acme", { match: "*", body: { ...body } });
    await change({ state: "suspended" });
    await eventually(async () => expect(await told()).toBe(401));
    await change({ state: "active" });
    await eventually(async () => expect(await told()).toBe(200));
    await change({ discovery: "token" });
    await eventually(async () => expect(await told()).toBe(401));
  });

  test("lets those without a token share a rate of their own, which takes none from its connections", async () => {
    const server = await startAdministration({
      ...(await engine.make()).environment,
      SCIM_RATE_PER_SECOND: "1",
      SCIM_RATE_BURST: "2",
    });
    const token = await server.tenantToken("acme");
    await open(server, "acme");
    const at = "/scim/acme/v2/ResourceTypes";
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await visit(server, at));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers["retry-after"]).toBe("1");
    expect(await visit(server, at, { headers: { Authorization: `Bearer ${token}` } })).toMatchObject({
      status: 200,
    });
  });

  test("who may open it operates tenants, and what it can be is told", async () => {
    const server = await startAdministration((await engine.make()).environment);
    await server.tenantToken("acme");
    const own = await server.administrator("tenant-admin", "acme");
    const change = (body: object, token?: string) =>
      server.send("PATCH", "/tenants/acme", {
        match: "*",
        body: { ...body },
        ...(token === undefined ? {} : { token }),
      });
    expect((await change({ discovery: "open" }, own)).status).toBe(403);
    const refused = await change({ discovery: "everybody" });
    expect([refused.status, refused.body["detail"]]).toEqual([400, expect.stringContaining("token, open")]);
    expect((await server.send("GET", "/tenants/acme")).body).toMatchObject({ discovery: "token" });
  });
});
