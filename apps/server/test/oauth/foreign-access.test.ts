import { addClientTrust, createTenant } from "@scim/tenancy";
import pino, { type Logger } from "pino";
import { describe, expect, test } from "vitest";
import { logOptions } from "../../src/log.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newFolder } from "../command-line/program.ts";
import { administer, makeClient } from "./clients.ts";
import { startIssuer } from "./oidc-issuer.ts";

const AUDIENCE = "https://scim.example/scim";

function environment(): Readonly<Record<string, string>> {
  return {
    SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db`,
    SCIM_SECRET_KEYS: SECRET_KEYS,
    SCIM_OAUTH_PRIVATE_ISSUERS: "allow",
  };
}

/** A log that is kept, as what it says. */
function keptLog(): { readonly log: Logger; readonly lines: readonly Readonly<Record<string, unknown>>[] } {
  const lines: Readonly<Record<string, unknown>>[] = [];
  return {
    log: pino(logOptions("info"), { write: (line: string) => void lines.push(JSON.parse(line)) }),
    lines,
  };
}

function get(origin: string, authorization: string, path = "/scim/v2/Users"): Promise<WireAnswer> {
  return exchange(origin, { method: "GET", path, headers: { authorization } });
}

describe("access tokens of a real issuer", () => {
  test("are taken at the tenant of the address, with scheme and bare", async () => {
    const database = environment();
    const { log, lines } = keptLog();
    const { origin } = await startInProcess(database, log);
    const ports = await administer(database);
    const [issuer, stranger] = [await startIssuer(), await startIssuer()];
    await createTenant(ports, { tenant: "acme" });
    const client = await makeClient(ports, { tenant: "acme", scopes: ["scim:read"] });
    await addClientTrust(ports, client, {
      purpose: "access-token",
      issuer: issuer.issuer,
      jwksUri: issuer.jwksUri,
      audience: AUDIENCE,
      claim: "client_id",
      subject: issuer.subject,
      createdBy: "test",
    });
    const users = "/scim/acme/v2/Users";
    const token = await issuer.token(AUDIENCE);
    expect((await get(origin, `Bearer ${token}`, users)).status).toBe(200);
    expect((await get(origin, token, users)).status).toBe(200);
    for (const [sent, path] of [
      [token, "/scim/v2/Users"],
      [token, "/scim/default/v2/Users"],
      [await stranger.token(AUDIENCE), users],
      [await issuer.token("https://other.example"), users],
      [`${token.slice(0, -6)}AAAAAA`, users],
      [`${token}.`, users],
    ] as const) {
      const { status, headers } = await get(origin, `Bearer ${sent}`, path);
      expect([path, status, headers["www-authenticate"]]).toEqual([
        path,
        401,
        expect.stringMatching(/^Bearer realm="scim", error="invalid_token", resource_metadata="/),
      ]);
    }
    // Of all that were refused, one led to a client.
    const told = lines.filter(({ msg }) => msg === "access token of a foreign issuer refused");
    const answered = lines.filter(({ status }) => status === 401).map(({ req }) => req);
    expect(told).toEqual([
      expect.objectContaining({ tenant: "acme", credential: client.id, req: answered[4] }),
    ]);
    const written = await exchange(origin, {
      method: "POST",
      path: users,
      headers: { authorization: `Bearer ${token}` },
      body: "{}",
    });
    expect(written.status).toBe(403);
  });

  test("are told as such where the keys cannot be read, and read from public addresses alone unless allowed", async () => {
    const database = environment();
    const { origin } = await startInProcess({ ...database, SCIM_OAUTH_PRIVATE_ISSUERS: "refuse" });
    // Entered where it was allowed still.
    const ports = await administer({ ...database, SCIM_OAUTH_PRIVATE_ISSUERS: "allow" });
    const issuer = await startIssuer();
    const client = await makeClient(ports);
    await addClientTrust(ports, client, {
      purpose: "access-token",
      issuer: issuer.issuer,
      jwksUri: issuer.jwksUri,
      audience: AUDIENCE,
      subject: issuer.subject,
      createdBy: "test",
    });
    const { status, headers, body } = await get(origin, `Bearer ${await issuer.token(AUDIENCE)}`);
    expect([status, headers["retry-after"], body["status"]]).toEqual([503, "5", "503"]);
    expect(issuer.reads()).toBe(0);
  });
});
