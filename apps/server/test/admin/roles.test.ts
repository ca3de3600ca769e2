import { describe, expect, test } from "vitest";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { newToken } from "../over-http/server.ts";
import { type AdminCall, type Administration, startAdministration } from "./administering.ts";
import { addressIn, ROLES, ROUTE_ROLES, type RouteRoles, servedRoutes } from "./route-rights.ts";
import { startSignIn, SUBJECTS } from "./sign-in.ts";

const IN_MEMORY = {
  SCIM_DATABASE_URL: "sqlite::memory:",
  SCIM_SECRET_KEYS: SECRET_KEYS,
  SCIM_OAUTH_PRIVATE_ISSUERS: "allow",
};

describe("what each role may do", () => {
  const SIGN_IN = [
    [
      "tokens",
      async (server: Administration) => (role: string) => server.administrator(role, tenantOf(role)),
    ],
    [
      "an issuer",
      async (server: Administration) => {
        const signIn = await startSignIn(server);
        return async (role: string, at: number) =>
          (await signIn.administrator(SUBJECTS[at] ?? "", { role, tenant: tenantOf(role) ?? null })).token;
      },
    ],
  ] as const;

  function bodyOf({ body }: RouteRoles): Pick<AdminCall, "body"> {
    return body === undefined ? {} : { body };
  }

  function tenantOf(role: string): string | undefined {
    return role === "tenant-admin" ? "acme" : undefined;
  }

  test.each(SIGN_IN)("is open to it, and nothing else, by %s", async (_how, begin) => {
    const server = await startAdministration(IN_MEMORY);
    await server.make("/tenants", { tenant: "acme" });
    const tokens = new Map<string, string>();
    const make = await begin(server);
    // An owner of an issuer ends the token that makes the others.
    for (const [at, role] of ROLES.toReversed().entries()) tokens.set(role, await make(role, at));
    for (const route of ROUTE_ROLES) {
      for (const role of ROLES) {
        const answer = await server.send(route.method, addressIn("acme", route), {
          ...bodyOf(route),
          token: tokens.get(role) ?? "",
        });
        const refused = answer.status === 403;
        expect([route.method, route.path, role, refused]).toEqual([
          route.method,
          route.path,
          role,
          !route.open.includes(role),
        ]);
      }
    }
    const connection = "/tenants/acme/connections/default";
    const named = ["0195c6a2-8f6b-7c31-9a55-0d7f6f1c2b3e", "ceo@corp.example"];
    const guard = { mode: "observe", named };
    await server.send("PATCH", connection, {
      body: { guard },
      match: "*",
      token: tokens.get("operator") ?? "",
    });
    for (const role of ROLES) {
      const token = tokens.get(role) ?? "";
      for (const path of [connection, "/tenants/acme/connections"]) {
        const { text } = await server.send("GET", path, { token });
        expect([role, text.includes("ceo@"), text.includes("0195c6a2")]).toEqual([
          role,
          role !== "support",
          true,
        ]);
      }
    }
  });

  test("who may change no receiver sees where it leads, and not the rest of its address, which may be a secret", async () => {
    const server = await startAdministration(IN_MEMORY);
    await server.make("/tenants", { tenant: "acme" });
    for (const [list, more] of [
      ["webhooks", {}],
      ["streams", { method: "push", audience: "https://hooks.example" }],
    ] as const) {
      const all = `/tenants/acme/${list}`;
      const url = `https://receiver.example/services/T0/B0?key=x-${list}`;
      const { id } = (await server.send("POST", all, { body: { url, ...more } })).body as { id: string };
      for (const role of ROLES) {
        const token = await server.administrator(role, tenantOf(role));
        for (const path of [all, `${all}/${id}`]) {
          const { status, text } = await server.send("GET", path, { token });
          const shown = role === "support" ? "https://receiver.example/…" : url;
          expect([role, path, status, /"url":"([^"]*)"/.exec(text)?.[1]]).toEqual([role, path, 200, shown]);
        }
      }
    }
  });

  test.each([
    ["nobody", null, 204],
    ["an operator", { perSecond: 1, burst: 1 }, 403],
  ])(
    "no administrator of a tenant lifts a rate by making its connection anew: set by %s",
    async (_who, rate, status) => {
      const server = await startAdministration(IN_MEMORY);
      await server.make("/tenants", { tenant: "acme" });
      const operator = await server.administrator("operator");
      const token = await server.administrator("tenant-admin", "acme");
      await server.make("/tenants/acme/connections", { connection: "okta", rate }, operator);
      const path = "/tenants/acme/connections/okta";
      expect((await server.send("DELETE", path, { token, match: "*" })).status).toBe(status);
      const by = await server.send("DELETE", path, { token: operator, match: "*" });
      expect(by.status).toBe(status === 204 ? 404 : 204);
    },
  );

  test("to the administrator of a tenant others are not there, whether or not they are", async () => {
    const server = await startAdministration(IN_MEMORY);
    for (const tenant of ["acme", "globex"]) await server.make("/tenants", { tenant });
    const token = await server.administrator("tenant-admin", "acme");
    expect((await server.send("GET", "/self", { token })).body).toMatchObject({
      name: "a tenant-admin",
      role: "tenant-admin",
      tenant: "acme",
    });
    for (const route of ROUTE_ROLES.filter(({ path }) => path.includes(":tenant"))) {
      const [there, never] = await Promise.all(
        ["globex", "never-was"].map((tenant) =>
          server.send(route.method, addressIn(tenant, route), { ...bodyOf(route), token }),
        ),
      );
      expect([route.method, route.path, there?.status]).toEqual([route.method, route.path, 404]);
      expect(there?.text).toBe(never?.text);
    }
    expect((await server.send("GET", "/changes?tenant=globex", { token })).status).toBe(404);
    expect((await server.send("GET", "/changes", { token })).status).toBe(404);
  });

  test.each(["never-was", "No Name", "admin"])(
    "the tenant %s is told not to be there, that one is to administer",
    async (tenant) => {
      const server = await startAdministration(IN_MEMORY);
      const body = { name: "Ann", role: "tenant-admin", tenant };
      expect(await server.send("POST", "/admins", { body })).toMatchObject({
        status: 404,
        body: { detail: `There is no tenant '${tenant}'.` },
      });
    },
  );

  test("no route is left out of the table, or open to whoever is no administrator", async () => {
    const served = servedRoutes();
    const server = await startAdministration(IN_MEMORY);
    const provisioning = await server.tenantToken("acme");
    const table = new Set(ROUTE_ROLES.map(({ method, path }) => `${method} ${path}`));
    expect([...table].toSorted()).toEqual([...served].toSorted());
    for (const route of ROUTE_ROLES) {
      const address = addressIn("acme", route);
      const statuses = await Promise.all(
        [provisioning, ""].map(
          async (token) => (await server.send(route.method, address, { ...bodyOf(route), token })).status,
        ),
      );
      expect([route.method, route.path, statuses]).toEqual([route.method, route.path, [403, 401]]);
    }
  });

  test("an administrator whose token was revoked is none any more", async () => {
    const server = await startAdministration(IN_MEMORY);
    const token = await server.administrator("operator");
    const { body } = await server.send("GET", "/self", { token });
    expect((await server.send("DELETE", `/admins/${String(body["credential"])}`)).status).toBe(204);
    await expect.poll(async () => (await server.send("GET", "/self", { token })).status).toBe(401);
    expect((await server.send("GET", "/admins")).body).toMatchObject({
      admins: [{ name: "a operator", role: "operator", revoked: expect.any(String) }, { role: "owner" }],
    });
  });

  test("tokens of tenants and wrong ones administer nothing, and the latter are counted", async () => {
    const server = await startAdministration(IN_MEMORY);
    const tenant = await server.tenantToken("acme");
    expect((await server.send("GET", "/tenants", { token: tenant })).status).toBe(403);
    const wrong = newToken("admin");
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1)
      statuses.push((await server.send("GET", "/tenants", { token: wrong })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await server.send("GET", "/tenants")).status).toBe(200);
  });
});
