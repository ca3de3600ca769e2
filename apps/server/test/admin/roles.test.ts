import { describe, expect, test } from "vitest";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { newToken } from "../over-http/server.ts";
import { type Administration, startAdministration } from "./administering.ts";
import { startSignIn, SUBJECTS } from "./sign-in.ts";

const IN_MEMORY = {
  SCIM_DATABASE_URL: "sqlite::memory:",
  SCIM_SECRET_KEYS: SECRET_KEYS,
  SCIM_OAUTH_PRIVATE_ISSUERS: "allow",
};

describe("what each role may do", () => {
  const ROLES = ["owner", "operator", "support", "tenant-admin"] as const;
  const ALL = 1;
  const OWNER = 2;
  const OPERATORS = 3;
  const PERSONS = 4;
  /** Which roles an address of tenant acme is open to: of those, whatever is answered is no 401, 403 or 404. */
  const ALLOWED: Readonly<Record<number, readonly string[]>> = {
    [ALL]: ROLES,
    [OWNER]: ["owner"],
    [OPERATORS]: ["owner", "operator"],
    [PERSONS]: ["owner", "operator", "tenant-admin"],
  };

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
    const connection = "/tenants/acme/connections/default";
    for (const [method, path, body, open] of [
      ["GET", "/self", undefined, ALL],
      ["GET", "/tenants/acme", undefined, ALL],
      ["GET", connection, undefined, ALL],
      ["GET", `${connection}/tokens`, undefined, ALL],
      ["GET", "/tenants/acme/audit", undefined, ALL],
      ["GET", "/tenants/acme/changes", undefined, PERSONS],
      ["GET", "/changes?tenant=acme", undefined, PERSONS],
      ["POST", "/tenants/acme/connections", { connection: "?" }, PERSONS],
      ["PATCH", connection, { state: "active" }, PERSONS],
      ["PATCH", connection, { rate: null }, OPERATORS],
      ["POST", "/tenants/acme/connections", { connection: "?", rate: null }, OPERATORS],
      ["POST", `${connection}/tokens`, { name: " " }, PERSONS],
      ["GET", `${connection}/clients`, undefined, ALL],
      ["POST", `${connection}/clients`, { name: " " }, PERSONS],
      ["GET", "/tenants/acme/webhooks", undefined, ALL],
      ["POST", "/tenants/acme/webhooks", { url: "?" }, PERSONS],
      ["GET", "/tenants/acme/streams", undefined, ALL],
      ["POST", "/tenants/acme/streams", { method: "poll" }, PERSONS],
      ["POST", "/signing-keys/rotate", { aheadMinutes: "?" }, OWNER],
      ["PATCH", "/tenants/acme", { displayName: "A" }, OPERATORS],
      ["POST", "/tenants", { tenant: "?" }, OPERATORS],
      ["DELETE", "/tenants/acme", undefined, OWNER],
      ["GET", "/admins", undefined, OWNER],
      ["POST", "/admins", { name: "x", role: "owner", tenant: "acme" }, OWNER],
      ["GET", "/admins/none", undefined, OWNER],
      ["PATCH", "/admins/none", { role: "owner" }, OWNER],
      ["DELETE", "/admins/none", undefined, OWNER],
      ["GET", "/issuers", undefined, OWNER],
      ["GET", "/tenants/acme/indexes", undefined, ALL],
      ["POST", "/tenants/acme/indexes", { type: "?" }, OPERATORS],
      ["DELETE", "/tenants/acme/indexes/User/none", undefined, OPERATORS],
      ["GET", "/tenants/acme/erasures", undefined, ALL],
      ["POST", "/tenants/acme/erasures", { erasures: "?" }, OWNER],
      ["DELETE", "/tenants/acme/subjects/none", undefined, OWNER],
      ["GET", "/tenants/acme/deleted", undefined, ALL],
      ["GET", "/tenants/acme/deleted/User/none", undefined, ALL],
      ["GET", "/tenants/acme/deleted/User/none/memberOf", undefined, ALL],
      ["POST", "/tenants/acme/deleted/User/none/restore", undefined, PERSONS],
      ["GET", "/webhooks", undefined, OWNER],
      ["POST", "/webhooks", {}, OWNER],
      ["POST", "/webhooks/none/test", undefined, OWNER],
      ["POST", "/issuers", { issuer: "https://id.example" }, OWNER],
      ["GET", "/issuers/none", undefined, OWNER],
      ["PATCH", "/issuers/none", { state: "active" }, OWNER],
      ["DELETE", "/issuers/none", undefined, OWNER],
    ] as const) {
      for (const role of ROLES) {
        const answer = await server.send(method, path, {
          ...(body === undefined ? {} : { body }),
          token: tokens.get(role) ?? "",
        });
        const refused = answer.status === 403;
        expect([method, path, role, refused]).toEqual([method, path, role, !ALLOWED[open]?.includes(role)]);
      }
    }
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
    for (const path of ["/tenants", "/audit", "/signing-keys"]) {
      const seen = await Promise.all(
        ROLES.map(async (role) => (await server.send("GET", path, { token: tokens.get(role) ?? "" })).status),
      );
      expect(seen).toEqual([200, 200, 200, 403]);
    }
  });

  test("to the administrator of a tenant others are not there, whether or not they are", async () => {
    const server = await startAdministration(IN_MEMORY);
    for (const tenant of ["acme", "globex"]) await server.make("/tenants", { tenant });
    const token = await server.administrator("tenant-admin", "acme");
    expect((await server.send("GET", "/self", { token })).body).toMatchObject({
      name: "a tenant-admin",
      role: "tenant-admin",
      tenant: "acme",
    });
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/connections"],
      ["GET", "/connections/default/tokens"],
      ["POST", "/connections/default/tokens"],
      ["GET", "/audit"],
      ["GET", "/changes"],
      ["GET", "/deleted"],
      ["POST", "/deleted/User/none/restore"],
      ["GET", "/webhooks"],
      ["POST", "/webhooks"],
      ["GET", "/streams"],
      ["POST", "/streams/none/replay"],
      ["POST", "/webhooks/none/drop"],
      ["GET", "/erasures"],
      ["POST", "/erasures"],
    ] as const) {
      const [there, never] = await Promise.all(
        ["globex", "never-was"].map((tenant) => server.send(method, `/tenants/${tenant}${path}`, { token })),
      );
      expect([method, path, there?.status]).toEqual([method, path, 404]);
      expect(there?.text).toBe(never?.text);
    }
    expect((await server.send("GET", "/changes?tenant=globex", { token })).status).toBe(404);
    expect((await server.send("GET", "/changes", { token })).status).toBe(404);
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
