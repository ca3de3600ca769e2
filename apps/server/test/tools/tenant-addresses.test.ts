/**
 * `/mcp/{tenant}` and `/rpc/{tenant}`: tokens whose text names no tenant are good there, and no others.
 */
import { createHash } from "node:crypto";
import { addClientTrust, createTenant, createToken, importToken } from "@scim/tenancy";
import type { JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { newFolder } from "../command-line/program.ts";
import { administer, askForToken, makeClient } from "../oauth/clients.ts";
import { startIssuer } from "../oauth/oidc-issuer.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { agentOf, message, post, use } from "./agents.ts";

const AUDIENCE = "https://scim.example/scim/acme/v2";
const IMPORTED = "a-token-that-was-made-elsewhere";
const GRANT = { connection: "default", createdBy: "test" };

/** A server with the tenants acme and globex, and credentials of acme of every kind. */
async function start() {
  const database = {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_SECRET_KEYS: SECRET_KEYS,
    SCIM_OAUTH_PRIVATE_ISSUERS: "allow",
  };
  const { origin } = await startInProcess(database);
  const [ports, issuer] = [await administer(database), await startIssuer()];
  for (const tenant of ["acme", "globex"]) await createTenant(ports, { tenant });
  const hash = createHash("sha256").update(IMPORTED).digest("hex");
  await importToken(ports, { ...GRANT, tenant: "acme", scheme: "sha256", hash });
  const client = await makeClient(ports, { tenant: "acme" });
  const { subject, jwksUri } = issuer;
  await addClientTrust(ports, client, {
    purpose: "access-token",
    issuer: issuer.issuer,
    jwksUri,
    audience: AUDIENCE,
    claim: "client_id",
    subject,
    createdBy: "test",
  });
  const granted = await askForToken(origin, {
    grant_type: "client_credentials",
    client_id: client.clientId,
    client_secret: client.secret,
  });
  return {
    origin,
    credentials: {
      "a token": (await createToken(ports, { ...GRANT, tenant: "acme" })).text,
      "an access token of a client": String(granted.body["access_token"]),
      "a JWT of another issuer": await issuer.token(AUDIENCE),
      "an imported token": IMPORTED,
    },
    ofGlobex: (await createToken(ports, { ...GRANT, tenant: "globex" })).text,
  };
}

/** A call of a tool, and what came of it, whatever the door. */
async function call(
  { origin, token, path }: { readonly origin: string; readonly token: string; readonly path: string },
  name: string,
  parameters: JsonObject = {},
) {
  const sent = path.startsWith("/mcp")
    ? message("tools/call", { name, arguments: parameters })
    : message(name, parameters);
  const { status, body, headers } = await post({ origin, token, path }, sent);
  return { status, body, text: JSON.stringify(body), challenge: headers.get("www-authenticate") };
}

describe.each(["/rpc", "/mcp"])("%s of a tenant", (door) => {
  test("takes every kind of credential of the tenant, and its tools work there", async () => {
    const { origin, credentials } = await start();
    for (const [kind, token] of Object.entries(credentials)) {
      const at = { origin, token, path: `${door}/acme` };
      const made = await call(at, "scim_create_user", { user_data: { userName: kind.replaceAll(" ", ".") } });
      expect([kind, made.status], made.text).toEqual([kind, 200]);
      expect(made.text).toContain(`${origin}/scim/acme/v2/Users/`);
      expect((await call(at, "scim_server_info")).text).toMatch(/tenant\\?":\\?"acme/);
      expect((await call(at, "scim_list_users", { tenant_id: "globex" })).text).toContain("no such tenant");
    }
    const [token = ""] = Object.values(credentials);
    const all = await call({ origin, token, path: `${door}/acme` }, "scim_list_users");
    expect(all.text).toMatch(/totalResults\\?":4/);
  });

  test("is for others what the address of no tenant is", async () => {
    const { origin, credentials, ofGlobex } = await start();
    for (const [kind, token] of Object.entries(credentials)) {
      const answered = async (path: string) => {
        const { status, text, challenge } = await call({ origin, token, path }, "scim_list_users");
        return [status, text, challenge?.replace(path, "")];
      };
      const nobodys = await answered(`${door}/nobody`);
      expect(nobodys[0], kind).toBe(kind.includes("token") && !kind.includes("imported") ? 404 : 401);
      expect(await answered(`${door}/globex`), kind).toEqual(nobodys);
    }
    const [own, , jwt, imported] = Object.values(credentials);
    for (const [token = "", path, status] of [
      [ofGlobex, `${door}/acme`, 404],
      [own, `${door}/acme/more`, 404],
      // Without a tenant in the address, the text of a token names it, or it is that of `default`.
      [own, door, 200],
      [jwt, door, 401],
      [imported, door, 401],
      [jwt, `${door}/default`, 401],
    ] as const) {
      expect([path, (await call({ origin, token, path }, "scim_list_users")).status]).toEqual([path, status]);
    }
  });

  test("is a protected resource of its own (RFC 9728)", async () => {
    const { origin } = await start();
    const challengeAt = async (path: string) =>
      /resource_metadata="(?<address>[^"]+)"/.exec(
        (await call({ origin, token: "x", path }, "scim_list_users")).challenge ?? "",
      )?.groups?.["address"];
    const metadata = await fetch((await challengeAt(`${door}/acme`)) ?? "");
    expect(await metadata.json()).toMatchObject({ resource: `${origin}${door}/acme` });
    expect(await challengeAt(`${door}/No%20Tenant`)).toBeUndefined();
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource${door}/No%20Tenant`)).status).toBe(
      404,
    );
  });
});

test("the official client works at the address of a tenant with a token that names none", async () => {
  const { origin, credentials } = await start();
  const agent = await agentOf(origin, credentials["a JWT of another issuer"], "acme");
  expect((await agent.listTools()).tools.map(({ name }) => name)).toContain("scim_query");
  expect(await use(agent, "scim_server_info")).toMatchObject({ result: { tenant: "acme" } });
  await expect(agentOf(origin, credentials["a JWT of another issuer"], "globex")).rejects.toBeInstanceOf(
    Error,
  );
});
