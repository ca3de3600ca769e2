import { describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { textMember } from "../over-http/exchange.ts";
import { ENGINES, SECRET_KEYS } from "../over-http/engines.ts";
import { askForToken } from "../oauth/clients.ts";
import { startAdministration } from "./administering.ts";

const IN_MEMORY = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_SECRET_KEYS: SECRET_KEYS };
const TRUST = {
  issuer: "https://id.example",
  jwksUri: "https://id.example/keys",
  audience: "api://scim",
  subject: "s",
};

describe("OAuth clients below /admin/v1", () => {
  test("are made, get tokens, are changed by version, and are taken away, all of it audited", async () => {
    const server = await startAdministration(IN_MEMORY);
    await server.make("/tenants", { tenant: "acme" });
    const clients = "/tenants/acme/connections/default/clients";
    const made = await server.make(clients, { name: "Entra", scopes: ["scim:read"], tokenLifetime: 600 });
    const one = `${clients}/${textMember(made, "id")}`;
    expect(made).toMatchObject({ state: "active", tokenLifetime: 600 });
    const secret = await server.make(`${one}/secrets`, { expires: "2029-01-01T00:00:00.000Z" });
    const trust = await server.make(`${one}/trusts`, { ...TRUST, purpose: "access-token", claim: "azp" });
    expect(trust).toMatchObject({ ...TRUST, purpose: "access-token", claim: "azp", requireJti: false });
    const ask = async (): Promise<number> => {
      const [clientId, text] = [textMember(made, "clientId"), textMember(secret, "secret")];
      const form = { grant_type: "client_credentials", client_id: clientId, client_secret: text };
      return (await askForToken(server.origin, form)).status;
    };
    expect(await ask()).toBe(200);

    const shown = await server.send("GET", one);
    expect(shown.headers.etag).toBe(`W/"${String(made["revision"])}"`);
    expect(shown.body).toMatchObject({
      name: "Entra",
      secrets: [{ id: textMember(secret, "id"), lastUsed: expect.any(String) }],
      trusts: [{ id: textMember(trust, "id") }],
    });
    expect(shown.text).not.toMatch(/scimsecret|hash/);
    expect((await server.send("GET", clients)).body["clients"]).toHaveLength(1);

    expect((await server.send("PATCH", one, { body: { state: "suspended" } })).status).toBe(428);
    expect((await server.send("PATCH", one, { body: { state: "suspended" }, match: 1 })).status).toBe(412);
    const suspended = await server.send("PATCH", one, { body: { state: "suspended" }, match: made });
    expect(suspended.body).toMatchObject({ state: "suspended" });
    expect(suspended.body["revision"]).not.toBe(made["revision"]);
    expect(await ask()).toBe(401);
    // A change is answered with what it made, whatever the client has a copy of.
    const headers = { "if-none-match": "*" };
    const active = await server.send("PATCH", one, {
      body: { state: "active" },
      match: suspended.body,
      headers,
    });
    expect(active).toMatchObject({ status: 200, body: { state: "active" } });
    expect((await server.send("DELETE", `${one}/trusts/${textMember(trust, "id")}`)).status).toBe(204);
    expect((await server.send("DELETE", `${one}/secrets/${textMember(secret, "id")}`)).status).toBe(204);
    expect(await ask()).toBe(401);
    expect((await server.send("DELETE", one)).status).toBe(428);
    expect((await server.send("DELETE", one, { match: active.body })).status).toBe(204);
    expect((await server.send("GET", one)).status).toBe(404);

    const audit = await eventually(async () => {
      const answer = await server.send("GET", "/audit?limit=100");
      expect(answer.text.match(/"type":"Client"/g)).toHaveLength(4);
      return answer;
    });
    expect((audit.text.match(/"type":"Client\w*"/g) ?? []).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => '"type":"Client"'),
      ...Array.from({ length: 2 }, () => '"type":"ClientSecret"'),
      ...Array.from({ length: 2 }, () => '"type":"ClientTrust"'),
    ]);
    expect(audit.text).not.toContain(textMember(secret, "secret"));
  });

  test("and issuers are refused where their keys would not be read, unless a setting allows it", async () => {
    const server = await startAdministration(IN_MEMORY);
    const allowed = await startAdministration({ ...IN_MEMORY, SCIM_OAUTH_PRIVATE_ISSUERS: "allow" });
    const clients = "/tenants/default/connections/default/clients";
    const issuer = { issuer: "https://id.example", audience: "us" };
    const id = textMember(await server.make("/issuers", { ...issuer, jwksUri: TRUST.jwksUri }), "id");
    const trusts = `${clients}/${textMember(await server.make(clients, {}), "id")}/trusts`;
    const privately =
      "must not lead to a private network, unless the service allows it (oauth.privateIssuers).";
    for (const [jwksUri, detail] of [
      ["https://169.254.169.254/keys", privately],
      ["https://2130706433/keys", privately],
      ["https://[::ffff:127.0.0.1]/keys", privately],
      ["https://localhost/keys", privately],
      [
        "http://id.example/keys",
        "must begin with https:, unless the service allows http: (oauth.privateIssuers).",
      ],
    ] as const) {
      for (const [method, path, body] of [
        ["POST", trusts, { ...TRUST, jwksUri }],
        ["POST", "/issuers", { ...issuer, audience: "others", jwksUri }],
        ["PATCH", `/issuers/${id}`, { jwksUri }],
      ] as const) {
        const { status, body: told } = await server.send(method, path, { body, match: "*" });
        expect([path, jwksUri, status]).toEqual([path, jwksUri, 400]);
        expect(told["detail"]).toBe(`The address of the keys ${detail}`);
      }
      await allowed.make("/issuers", { ...issuer, audience: jwksUri, jwksUri });
    }
  });

  test("are those of the connection that the address names", async () => {
    const server = await startAdministration(IN_MEMORY);
    for (const tenant of ["acme", "other"]) await server.make("/tenants", { tenant });
    await server.make("/tenants/acme/connections", { connection: "okta" });
    const of = (tenant: string, connection: string): string =>
      `/tenants/${tenant}/connections/${connection}/clients`;
    const id = textMember(await server.make(of("acme", "okta"), {}), "id");
    const secret = await server.make(`${of("acme", "okta")}/${id}/secrets`, {});
    for (const elsewhere of [of("acme", "default"), of("other", "default")]) {
      for (const [method, path] of [
        ["GET", id],
        ["PATCH", id],
        ["DELETE", id],
        ["POST", `${id}/secrets`],
        ["POST", `${id}/trusts`],
        ["DELETE", `${id}/secrets/${textMember(secret, "id")}`],
      ] as const) {
        const body = path.endsWith("/trusts") ? TRUST : {};
        const sent = method === "GET" || method === "DELETE" ? {} : { body };
        const { status } = await server.send(method, `${elsewhere}/${path}`, { ...sent, match: "*" });
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    }
    expect((await server.send("GET", of("acme", "none"))).status).toBe(404);
  });

  test.each(ENGINES)("that are made at once on $name are no more than may be", async ({ make }) => {
    const server = await startAdministration((await make()).environment);
    const connection = "/tenants/default/connections/default";
    const one = `${connection}/clients/${textMember(await server.make(`${connection}/clients`, {}), "id")}`;
    const hash = (number: number): string => `$2b$04$${String(number).padStart(53, "a")}`;
    for (const [path, most, bodyOf] of [
      [`${one}/secrets`, 10, () => ({})],
      [`${one}/trusts`, 1, () => TRUST],
      [`${one}/trusts`, 9, (number: number) => ({ ...TRUST, subject: `${number}` })],
      [`${connection}/clients`, 19, () => ({})],
      [
        `${connection}/tokens`,
        50,
        (number: number) => ({ imported: { scheme: "bcrypt", hash: hash(number) } }),
      ],
    ] as const) {
      const numbers = Array.from({ length: most + 15 }, (_, number) => number);
      const send = (number: number) => server.send("POST", path, { body: bodyOf(number) });
      const answers = (await Promise.all(numbers.map(send))).map(({ status }) => status);
      const made = answers.filter((status) => status === 201).length;
      expect([path, made, new Set(answers)]).toEqual([path, most, new Set([201, 409])]);
    }
  });

  test.each(ENGINES)("that are deleted on $name leave no trust that came meanwhile", async ({ make }) => {
    const server = await startAdministration((await make()).environment);
    const clients = "/tenants/default/connections/default/clients";
    for (let number = 0; number < 15; number += 1) {
      const body = { ...TRUST, purpose: "access-token", subject: `${number}` };
      const one = `${clients}/${textMember(await server.make(clients, {}), "id")}`;
      const [added, removed] = await Promise.all([
        server.send("POST", `${one}/trusts`, { body }),
        server.send("DELETE", one, { match: "*" }),
      ]);
      expect([201, 404]).toContain(added.status);
      expect(removed.status).toBe(204);
      // Issuer, audience and subject are free for another client.
      const next = `${clients}/${textMember(await server.make(clients, {}), "id")}`;
      expect((await server.send("POST", `${next}/trusts`, { body })).status).toBe(201);
    }
  });

  test("refuse what they cannot be, and say which member it is", async () => {
    const server = await startAdministration(IN_MEMORY);
    const clients = "/tenants/default/connections/default/clients";
    const one = `${clients}/${textMember(await server.make(clients, {}), "id")}`;
    for (const [path, body] of [
      [clients, { scopes: ["admin"] }],
      [clients, { scopes: ["admin:operator"] }],
      [clients, { scopes: [] }],
      [clients, { scopes: "scim" }],
      [clients, { tokenLifetime: 599 }],
      [clients, { tokenLifetime: 21_601 }],
      [clients, { tokenLifetime: "1h" }],
      [clients, { state: "active" }],
      [`${one}/secrets`, { expires: "2020-01-01T00:00:00.000Z" }],
      [`${one}/secrets`, { expires: "2040-01-01T00:00:00.000Z" }],
      [`${one}/secrets`, { expires: "soon" }],
      [`${one}/trusts`, { issuer: TRUST.issuer }],
      [`${one}/trusts`, { ...TRUST, jwksUri: "keys" }],
      [`${one}/trusts`, { ...TRUST, claim: "email" }],
      [`${one}/trusts`, { ...TRUST, requireJti: "yes" }],
    ] as const) {
      const { status, body: answer } = await server.send("POST", path, { body });
      expect([body, status, answer["scimType"]]).toEqual([body, 400, "invalidValue"]);
    }
  });
});
