import type { JsonObject } from "@scim/schemas";
import pino from "pino";
import { afterEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../eventually.ts";
import { runCommand } from "../../src/command-line.ts";
import type { Check } from "../../src/doctor/check.ts";
import { examine } from "../../src/doctor/examine.ts";
import { EXIT } from "../../src/failure.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import type { Settings } from "../../src/settings/table.ts";
import { startStore } from "../../src/store/start-store.ts";
import { printed } from "../command-line/printed.ts";
import { ENGINES, SECRET_KEYS } from "../over-http/engines.ts";
import type { WireAnswer } from "../over-http/exchange.ts";
import { ADMIN_TOKEN } from "./admin-client.ts";
import { type Administration, startAdministration } from "./administering.ts";
import { AUDIENCE, startSignIn } from "./sign-in.ts";

const ALLOWED = { SCIM_OAUTH_PRIVATE_ISSUERS: "allow" };
const IN_MEMORY = {
  ...ALLOWED,
  SCIM_DATABASE_URL: "sqlite::memory:",
  SCIM_SECRET_KEYS: SECRET_KEYS,
};

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a command of administration. Resolves to what it wrote to standard output. */
async function scim(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { code, stdout } = await printed(["admin", ...args], environment);
  expect(code).toBe(EXIT.ok);
  return stdout.trim();
}

function settingsOf(environment: Readonly<Record<string, string>>): Settings {
  return resolveSettings({ flags: {}, environment }).values;
}

async function self(server: Administration, token?: string): Promise<WireAnswer> {
  return server.send("GET", "/self", token === undefined ? {} : { token });
}

/** Every process gets to know it by itself. */
async function soon(answer: () => Promise<WireAnswer>, status: number): Promise<WireAnswer> {
  return eventually(async () => {
    const given = await answer();
    expect(given.status).toBe(status);
    return given;
  });
}

test.each(ENGINES)("issuers that are entered at once on $name are no more than may be", async ({ make }) => {
  const server = await startAdministration({ ...(await make()).environment, ...ALLOWED });
  const enter = (number: number): Promise<WireAnswer> => {
    const body = { issuer: "https://id.example", audience: `${number}`, jwksUri: "https://id.example/keys" };
    return server.send("POST", "/issuers", { body });
  };
  const answers = await Promise.all(Array.from({ length: 35 }, (_, number) => enter(number)));
  const entered = answers.filter(({ status }) => status === 201);
  expect([entered.length, new Set(answers.map(({ status }) => status))]).toEqual([20, new Set([201, 409])]);
});

describe.each(ENGINES)("an owner who signs in by an issuer, on $name", (engine) => {
  test("ends the token that the administration began with, on every process, until there is none any more", async () => {
    const environment = { ...(await engine.make()).environment, ...ALLOWED };
    const [one, other] = [await startAdministration(environment), await startAdministration(environment)];
    const named = await one.administrator("operator");
    const signIn = await startSignIn(one);
    const stranger = await self(one, await signIn.token("sub-eve"));
    expect([stranger.status, stranger.body["detail"]]).toEqual([
      403,
      expect.stringContaining(`scim admin create --issuer ${signIn.id} --subject`),
    ]);

    const ann = await signIn.administrator("sub-ann", { role: "owner" });
    expect((await self(one, ann.token)).body).toEqual({
      credential: ann.id,
      name: "N. sub-ann",
      role: "owner",
      tenant: null,
    });
    for (const server of [one, other]) {
      const refused = await soon(() => self(server), 401);
      expect(refused.body["detail"]).toContain("refused while an owner can sign in by an issuer");
      expect(refused.headers["www-authenticate"]).toBe('Bearer realm="scim-admin", error="invalid_token"');
      expect((await self(server, named)).status).toBe(200);
    }
    const listed = await other.send("GET", "/admins", { token: ann.token });
    expect(listed.body).toMatchObject({ bootstrapRefused: true });

    const examined = async (given: Readonly<Record<string, string>>): Promise<Check | undefined> => {
      const { checks } = await examine(settingsOf(given), { tenant: "default" }, Date.now());
      return checks.find(({ name }) => name === "administrators");
    };
    expect(await examined(environment)).toMatchObject({
      outcome: "ok",
      detail: expect.stringContaining("refuse SCIM_ADMIN_TOKEN"),
    });
    expect(await examined({ ...environment, SCIM_OAUTH_PRIVATE_ISSUERS: "refuse" })).toMatchObject({
      outcome: "warning",
      detail: expect.stringContaining(`the keys of ${signIn.oidc.issuer} cannot be read`),
    });
    const lines: string[] = [];
    const later = await startStore(
      settingsOf({ ...environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN }),
      pino({}, { write: (line: string) => void lines.push(line) }),
    );
    await later.opened.store.close();
    expect(lines.join("")).toContain("SCIM_ADMIN_TOKEN is refused");

    // The command line needs neither, so that nobody is locked out.
    await scim(environment, "issuer", "suspend", signIn.id);
    for (const server of [one, other]) {
      await soon(() => self(server, ann.token), 401);
      await soon(() => self(server), 200);
    }
    await scim(environment, "issuer", "resume", signIn.id);
    await soon(() => self(other), 401);
    await scim(environment, "revoke", ann.id);
    for (const server of [one, other]) {
      await soon(() => self(server, ann.token), 403);
      await soon(() => self(server), 200);
    }
  });
});

describe("administrators of a real issuer", () => {
  test("are told in the trail by their own id, and in the log by nothing of theirs", async () => {
    const lines: string[] = [];
    const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
    const server = await startAdministration(IN_MEMORY, log);
    const signIn = await startSignIn(server);
    const ann = await signIn.administrator("sub-ann", { role: "operator" });
    await server.make("/tenants", { tenant: "acme" }, ann.token);
    const refused = [
      await signIn.token("sub-ben"),
      await signIn.oidc.token("https://other.example", "sub-ann"),
    ];
    for (const token of refused) await self(server, token);
    const audit = await eventually(async () => {
      const answer = await server.send("GET", "/audit?limit=100");
      expect(answer.text).toContain('"id":"acme"');
      return answer;
    });
    const entries = audit.body["entries"];
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "AdminIssuer", id: signIn.id, kind: "created" }),
        expect.objectContaining({ type: "Administrator", id: ann.id, kind: "created" }),
        expect.objectContaining({
          type: "Tenant",
          id: "acme",
          origin: expect.objectContaining({ admin: "N. sub-ann", credential: ann.id }),
        }),
      ]),
    );
    const told = lines.join("");
    expect(told).toContain(ann.id);
    expect(told).not.toMatch(/sub-ann|sub-ben/);
    const parts = [ann.token, ...refused].flatMap((token) => token.split("."));
    expect(parts).toHaveLength(9);
    for (const part of parts) expect(told).not.toContain(part.slice(0, 16));
  });

  test("are what their groups are, where an owner gave roles to those", async () => {
    const lines: string[] = [];
    const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
    const server = await startAdministration(IN_MEMORY, log);
    const signIn = await startSignIn(server);
    const token = await signIn.token("sub-eve");
    const path = `/issuers/${signIn.id}`;
    const { body: issuer } = await server.send("GET", path);
    for (const wrong of [
      { claim: "groups" },
      { claim: "groups", roles: [{ group: "staff" }] },
      { claim: "groups", roles: [{ group: "staff", role: "boss" }] },
      { claim: "groups", roles: [{ group: "staff", role: "owner", more: 1 }] },
      { claim: "groups", roles: ["staff"] },
      "groups",
    ]) {
      const answer = await server.send("PATCH", path, { body: { groups: wrong }, match: issuer });
      expect([answer.status, answer.body["detail"]]).toEqual([400, expect.stringContaining("groups")]);
    }
    const groups = { claim: "groups", roles: [{ group: "scim people", role: "owner", tenant: null }] };
    const changed = await server.send("PATCH", path, { body: { groups }, match: issuer });
    expect(changed.body).toMatchObject({ groups });
    const eve = await soon(() => self(server, token), 200);
    expect(eve.body).toMatchObject({ name: "sub-eve", role: "owner", tenant: null });
    // The first token stays good: owners by groups are nobody that an owner entered.
    expect((await server.send("GET", "/admins")).body).toMatchObject({ bootstrapRefused: false });
    await server.make("/tenants", { tenant: "acme" }, token);
    const trail = await eventually(async () => {
      const answer = await server.send("GET", "/audit?limit=100");
      expect(answer.text).toContain('"id":"acme"');
      return answer;
    });
    const credential = String(eve.body["credential"]);
    expect(trail.body["entries"]).toContainEqual(
      expect.objectContaining({
        id: "acme",
        origin: expect.objectContaining({ admin: "sub-eve", credential }),
      }),
    );
    expect(lines.join("")).toContain(credential);
    expect(lines.join("")).not.toContain("sub-eve");
    // Who is not in such a group is told what would help, and a list goes before groups.
    const stranger = await self(server, await signIn.token("sub-ben"));
    expect([stranger.status, stranger.body["detail"]]).toEqual([403, expect.stringContaining("'groups'")]);
    await signIn.administrator("sub-eve", { role: "support" });
    await eventually(async () => expect((await self(server, token)).body).toMatchObject({ role: "support" }));
  });

  test("are let in by a changed key at once, and not by another issuer or audience", async () => {
    const clock = Date.now.bind(Date);
    let ahead = 0;
    vi.spyOn(Date, "now").mockImplementation(() => clock() + ahead);
    const server = await startAdministration(IN_MEMORY);
    const signIn = await startSignIn(server);
    const { token } = await signIn.administrator("sub-ann", { role: "support" });
    const elsewhere = await startSignIn(server);
    expect((await self(server, token)).status).toBe(200);
    expect((await self(server, await elsewhere.token("sub-ann"))).status).toBe(403);
    await elsewhere.administrator("sub-ben", { role: "support" });
    expect((await self(server, await signIn.token("sub-ben"))).status).toBe(403);
    for (const wrong of [
      await signIn.oidc.token("https://scim.example/scim", "sub-ann"),
      `${token.slice(0, -6)}AAAAAA`,
      `${token}.`,
      unsigned(token),
    ]) {
      expect((await self(server, wrong)).status).toBe(401);
    }
    // A JWT of an administrator opens nothing of SCIM.
    for (const path of ["/scim/v2/Users", "/scim/admin/v2/Users"]) {
      const answer = await server.call("GET", path, { headers: { authorization: `Bearer ${token}` } });
      expect([401, 403, 404]).toContain(answer.status);
    }
    await signIn.oidc.rotate();
    // Keys that are missing are looked for again after half a minute.
    ahead = 31_000;
    expect((await self(server, await signIn.token("sub-ann"))).status).toBe(200);
  });

  test("are changed and revoked by version", async () => {
    const server = await startAdministration(IN_MEMORY);
    const signIn = await startSignIn(server);
    const { id, token } = await signIn.administrator("sub-ann", { role: "support" });
    const [admin, issuer] = [`/admins/${id}`, `/issuers/${signIn.id}`];
    const present = async (path: string): Promise<JsonObject> => (await server.send("GET", path)).body;
    for (const path of [admin, issuer]) {
      const match = await present(path);
      const headers = { "if-none-match": `W/"${String(match["revision"])}"` };
      expect((await server.send("GET", path)).headers.etag).toBe(headers["if-none-match"]);
      expect((await server.send("GET", path, { headers })).status).toBe(304);
      expect((await server.send("PATCH", path, { body: {} })).status).toBe(428);
      expect((await server.send("PATCH", path, { body: {}, match: 1 })).status).toBe(412);
      expect((await server.send("PATCH", path, { body: { subject: "x" }, match })).status).toBe(400);
    }
    const changed = await server.send("PATCH", admin, {
      body: { role: "operator" },
      match: await present(admin),
    });
    expect(changed.body).toMatchObject({ kind: "identity", role: "operator" });
    await soon(() => server.send("PATCH", "/tenants/default", { token, body: { state: "active" } }), 428);
    expect((await server.send("DELETE", issuer, { match: await present(issuer) })).status).toBe(409);
    expect((await server.send("DELETE", admin)).status).toBe(428);
    expect((await server.send("DELETE", admin, { match: changed.body })).status).toBe(204);
    expect((await server.send("DELETE", issuer, { match: await present(issuer) })).status).toBe(204);
    expect((await server.send("GET", issuer)).status).toBe(404);
    await soon(() => self(server, token), 401);
  });

  test("are told apart from tokens, which stay as they were made", async () => {
    const server = await startAdministration(IN_MEMORY);
    await server.administrator("operator");
    const { body } = await server.send("GET", "/admins");
    const [made, bootstrap] = Array.isArray(body["admins"]) ? body["admins"] : [];
    expect([bootstrap, made]).toMatchObject([{ kind: "bootstrap" }, { kind: "token", name: "a operator" }]);
    const path = `/admins/${String(Object.entries(made ?? {}).find(([name]) => name === "id")?.[1])}`;
    expect((await server.send("GET", path)).body).toMatchObject({ kind: "token" });
    expect((await server.send("PATCH", path, { body: { role: "owner" } })).status).toBe(409);
    for (const wrong of [{ issuer: "none", subject: "x" }, { subject: "x" }, { issuer: "none" }]) {
      const answer = await server.send("POST", "/admins", { body: { name: "x", role: "owner", ...wrong } });
      expect([400, 404]).toContain(answer.status);
    }
  });
});

/** The same JWT, as if nobody had signed it. */
function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  return `${header}.${token.split(".")[1] ?? ""}.`;
}

/** The id of the administrator of a name. */
async function identityOf(environment: Readonly<Record<string, string>>, name: string): Promise<string> {
  const line = (await scim(environment, "list")).split("\n").find((each) => each.includes(name));
  return line?.split(" ")[0] ?? "";
}

describe("scim admin", () => {
  test("enters an issuer, makes administrators of it and with tokens, and shows them", async () => {
    const [engine] = ENGINES;
    const environment = { ...(await engine?.make())?.environment, ...ALLOWED };
    const server = await startAdministration(environment);
    const { oidc } = await startSignIn(server);
    const run = (...args: readonly string[]): Promise<string> => scim(environment, ...args);
    const issuer = await run("issuer", "add", "--issuer", oidc.issuer, "--audience", "api://cli");
    expect(JSON.parse(await run("issuer", "list", "--json"))).toMatchObject({
      issuers: [{ audience: AUDIENCE }, { id: issuer, jwksUri: oidc.jwksUri, state: "active" }],
    });
    const of = ["--issuer", issuer, "--subject", "sub-cid", "--name", "Cid"];
    const cid = await run("create", ...of, "--role", "support", "--expires", "30d");
    const token = await oidc.token("api://cli", "sub-cid");
    expect((await self(server, token)).body).toMatchObject({ credential: cid, role: "support" });
    await run("change", cid, "--role", "tenant-admin:default");
    await eventually(async () =>
      expect((await self(server, token)).body).toMatchObject({ role: "tenant-admin", tenant: "default" }),
    );
    const text = await run("create", "--name", "Dee", "--role", "operator");
    expect((await self(server, text)).body).toMatchObject({ name: "Dee", role: "operator" });
    await run("issuer", "groups", issuer, "--grant", "x=y=support", "--grant", "scim people=operator");
    const eve = await oidc.token("api://cli", "sub-eve");
    expect((await self(server, eve)).body).toMatchObject({ name: "sub-eve", role: "operator" });
    expect(await run("issuer", "groups", issuer)).toContain("no roles");
    await soon(() => self(server, eve), 403);
    const list = await run("list");
    expect(list).toMatch(/bootstrap.*good/);
    expect(list).toMatch(new RegExp(`${cid} +identity +Cid +tenant-admin +default`));
    // What was noted is written now and then, and at the end.
    await server.stop();
    expect(JSON.parse(await run("list", "--json"))).toMatchObject({
      admins: expect.arrayContaining([
        expect.objectContaining({ id: cid, lastUsed: expect.any(String) }),
        expect.objectContaining({ name: "Dee", lastUsed: expect.any(String) }),
      ]),
    });
    await run("revoke", cid);
    await run("issuer", "delete", issuer);
    expect(await run("issuer", "list")).not.toContain(issuer);
  });

  test.each(["on the database", "at a server"])(
    "says %s whether a new owner ends SCIM_ADMIN_TOKEN, and why not",
    async (where) => {
      const [engine] = ENGINES;
      const environment = { ...(await engine?.make())?.environment, ...ALLOWED };
      const server = await startAdministration(environment);
      const { id } = await startSignIn(server);
      const at = where === "at a server" ? ["--url", server.origin] : [];
      const told = async (subject: string, issuer: string): Promise<string> => {
        const of = ["--issuer", issuer, "--subject", subject, "--name", subject, "--role", "owner"];
        const call = ["admin", "create", ...of, ...at];
        return (await printed(call, { ...environment, SCIM_ADMIN_TOKEN: ADMIN_TOKEN })).stderr;
      };
      await scim(environment, "issuer", "suspend", id);
      expect(await told("sub-ann", id)).toContain(
        `sub-ann is an owner now. SCIM_ADMIN_TOKEN goes on being good: no owner can sign in while issuer ${id} is suspended.`,
      );
      await scim(environment, "issuer", "resume", id);
      // With an owner who can sign in, the server refuses the token that would make another.
      await scim(environment, "revoke", await identityOf(environment, "sub-ann"));
      await soon(() => self(server), 200);
      expect(await told("sub-ben", id)).toContain(
        "sub-ben is an owner now. Servers refuse SCIM_ADMIN_TOKEN within one second.",
      );
    },
  );

  test.each([
    [[]],
    [["destroy"]],
    [["list", "x"]],
    [["create"]],
    [["create", "x"]],
    [["create", "--name", "x"]],
    [["create", "--name", "x", "--role", "boss"]],
    [["create", "--name", "x", "--role", "tenant-admin"]],
    [["create", "--name", "x", "--role", "owner:acme"]],
    [["create", "--name", "x", "--role", "owner", "--subject", "s"]],
    [["create", "--name", "x", "--role", "owner", "--issuer", "i"]],
    [["create", "--name", "x", "--role", "owner", "--expires", "yesterday"]],
    [["change"]],
    [["revoke"]],
    [["revoke", "a", "b"]],
    [["issuer"]],
    [["issuer", "add"]],
    [["issuer", "add", "--issuer", "https://id.example", "--audience", "a", "--claim", "email"]],
    [["issuer", "suspend"]],
    [["issuer", "groups", "a", "--grant", "staff"]],
    [["issuer", "groups", "a", "--grant", "=owner"]],
    [["issuer", "groups", "a", "--grant", "staff=boss"]],
    [["issuer", "delete", "a", "b"]],
  ])("%j is refused as wrong usage", async (args) => {
    await expect(runCommand(["admin", ...args], IN_MEMORY)).rejects.toMatchObject({
      name: "CommandFailure",
      exitCode: EXIT.usage,
    });
  });
});
