/**
 * Agents that are given the credentials of a client, and find out by themselves where its token is given.
 */
import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createTenant } from "@scim/tenancy";
import { expect, test } from "vitest";
import { newFolder } from "../command-line/program.ts";
import { administer, makeClient } from "../oauth/clients.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { connected } from "./agents.ts";

test("R8414-2-01 the official client reads the metadata, and gets a token for itself", async () => {
  const database = { SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`, SCIM_SECRET_KEYS: SECRET_KEYS };
  const { origin } = await startInProcess(database);
  const ports = await administer(database);
  await createTenant(ports, { tenant: "acme" });
  const { clientId, secret } = await makeClient(ports, { tenant: "acme", scopes: ["scim:read"] });
  for (const path of ["/mcp", "/mcp/acme"]) {
    const authProvider = new ClientCredentialsProvider({
      clientId,
      clientSecret: secret,
      expectedIssuer: origin,
      scope: "scim:read",
    });
    const agent = await connected(
      new StreamableHTTPClientTransport(new URL(origin + path), { authProvider }),
    );
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toContain("scim_get_user");
  }
});

test("R8414-2-01 the address where a person would be asked says that none is", async () => {
  const { origin } = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:" });
  const { body } = await exchange(origin, {
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
  });
  expect(body["authorization_endpoint"]).toBe(`${origin}/oauth2/authorize`);
  const asked = await exchange(origin, {
    method: "GET",
    path: "/oauth2/authorize?response_type=code&client_id=x&redirect_uri=https%3A%2F%2Fevil.example",
  });
  expect([asked.status, asked.headers["location"], asked.body]).toEqual([
    400,
    undefined,
    {
      error: "unsupported_response_type",
      error_description:
        "No grant begins with a person here: ask for a token at /oauth2/token, with grant_type=client_credentials.",
    },
  ]);
});
