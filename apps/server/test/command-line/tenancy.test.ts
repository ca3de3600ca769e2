import { createHash, createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../eventually.ts";
import { runCommand } from "../../src/command-line.ts";
import { EXIT } from "../../src/failure.ts";
import { clientOf } from "../over-http/client.ts";
import { exchange } from "../over-http/exchange.ts";
import { ENGINES, type TestDatabase } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newFolder } from "./program.ts";
import { printed } from "./printed.ts";

// What the commands say to people beside their result.
beforeEach(() => void vi.spyOn(process.stderr, "write").mockReturnValue(true));
afterEach(() => void vi.restoreAllMocks());

function commandsOn({ environment }: Pick<TestDatabase, "environment">) {
  const scim = async (...args: string[]) => (await printed(args, environment)).stdout;
  const asJson = async (...args: string[]): Promise<unknown> => JSON.parse(await scim(...args, "--json"));
  return { scim, asJson };
}

describe.each(ENGINES)("commands on $name", (engine) => {
  test("a tenant from its making to its end", async () => {
    const database = await engine.make();
    const { scim, asJson } = commandsOn(database);
    const server = await startInProcess(database.environment);
    expect(await asJson("tenant", "create", "acme", "--display-name", "Acme Ltd")).toMatchObject({
      tenant: "acme",
      displayName: "Acme Ltd",
      state: "active",
    });
    expect(await scim("tenant", "change", "acme", "--display-name", "Acme")).toMatch(/^acme +active +Acme /m);
    const token = (await scim("token", "create", "--tenant", "acme")).trim();
    const acme = clientOf({ origin: server.origin, base: "/scim/v2", token });
    const { path } = await acme.user({ userName: "anna" });
    const statusAt = async (base: string) =>
      (await clientOf({ origin: server.origin, base, token }).call("GET", path)).status;
    expect([await statusAt("/scim/acme/v2"), await statusAt("/scim/default/v2")]).toEqual([200, 404]);
    const discovery = { method: "GET", path: "/scim/acme/v2/ResourceTypes", headers: {} };
    expect((await exchange(server.origin, discovery)).status).toBe(401);
    expect(await asJson("tenant", "change", "acme", "--discovery", "open")).toMatchObject({
      discovery: "open",
    });
    await eventually(async () => expect((await exchange(server.origin, discovery)).status).toBe(200));
    expect(await scim("tenant", "suspend", "acme")).toMatch(/^acme +suspended/m);
    await eventually(async () => expect((await acme.call("GET", path)).status).toBe(401));
    expect(await scim("tenant", "resume", "acme")).toMatch(/^acme +active/m);
    expect((await acme.call("GET", path)).status).toBe(200);

    await expect(scim("tenant", "delete", "acme", "--exported")).rejects.toThrow("Suspend the tenant");
    await scim("tenant", "suspend", "acme");
    await expect(scim("tenant", "delete", "acme")).rejects.toThrow("say so by 'exported'");
    expect(await asJson("tenant", "delete", "acme", "--exported")).toEqual({
      tenant: "acme",
      removed: expect.any(Number),
    });
    expect(await database.query("SELECT * FROM resources WHERE tenant = 'acme'")).toEqual([]);
    expect(await scim("tenant", "list")).toMatch(/^acme +deleted +Acme .*\ndefault +active +-/m);
    await eventually(async () => {
      const trail = await scim("audit", "list", "--tenant", "admin");
      expect(trail).toMatch(/created +Tenant acme +scim tenant create/);
      expect(trail).toMatch(/replaced +Tenant acme +scim tenant delete +state/);
    });
  });

  test("connections, and tokens of each", async () => {
    const { scim, asJson } = commandsOn(await engine.make());
    await scim("tenant", "create", "acme");
    const of = ["--tenant", "acme"];
    expect(
      await asJson("connection", "create", "okta", ...of, "--profile", "okta", "--rate", "5"),
    ).toMatchObject({ connection: "okta", profile: "okta", rate: { perSecond: 5, burst: 20 } });
    expect(
      await asJson("connection", "change", "okta", ...of, "--switches=require-version,-bare-token"),
    ).toMatchObject({ switches: ["require-version", "-bare-token"], profile: "okta" });
    expect(
      await asJson("connection", "change", "okta", ...of, "--rate=default", "--profile=default"),
    ).toMatchObject({ rate: null, profile: null });
    expect(
      await scim("connection", "change", "okta", ...of, "--guard=hold", "--guard-bound=20,5,60"),
    ).toContain("hold beyond 20 or 5 % in 60 min");
    expect(await asJson("connection", "change", "okta", ...of, "--guard-named=ceo")).toMatchObject({
      guard: { mode: "hold", named: ["ceo"] },
      namesOfNobody: ["ceo"],
    });
    expect(await scim("connection", "suspend", "okta", ...of)).toMatch(/^okta +suspended/m);
    expect(await scim("connection", "resume", "okta", ...of)).toMatch(/^okta +active/m);

    await scim("token", "create", ...of, "--connection", "okta", "--name", "Okta", "--never-expires");
    const made = await asJson("token", "create", ...of, "--scope", "scim:read:User");
    expect(made).toMatchObject({
      token: expect.stringMatching(/^scim_acme_/),
      scopes: ["scim:read:User"],
      createdBy: "command line",
    });
    // A year, unless something else is said.
    const { expires, id } = made as { readonly expires: string; readonly id: string };
    expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 364 * 86_400_000);
    expect(await scim("token", "list", ...of, "--connection", "okta")).toMatch(
      /Okta +okta +scim +- +never +never +good/,
    );
    expect(await asJson("token", "revoke", id, ...of)).toMatchObject({ revoked: expect.any(String) });
    expect(await scim("token", "list", ...of)).toMatch(new RegExp(`^${id} .*revoked 20`, "m"));

    expect(await scim("connection", "delete", "okta", ...of)).toContain("deleted with its tokens");
    expect(await asJson("connection", "list", ...of)).toMatchObject({
      connections: [{ connection: "default" }],
    });
    expect(await asJson("token", "list", ...of)).toMatchObject({ tokens: [{ id }] });
  });

  test("tokens that were made elsewhere go on working, and are hashed anew", async () => {
    const database = await engine.make();
    const { scim, asJson } = commandsOn(database);
    const server = await startInProcess(database.environment);
    await scim("tenant", "create", "acme");
    const of = ["--tenant", "acme"];
    const keyFile = join(newFolder(), "pepper");
    writeFileSync(keyFile, "pepper\n");
    const sha = createHash("sha256").update("legacy-one").digest("hex");
    const hmac = createHmac("sha256", "pepper").update("legacy-two").digest("hex");
    // Of the text `legacy-three`, made by another program.
    const bcrypt = "$2b$05$TaMO9.AG/OlQqGlE2yMvv.76nYyckJ6c/1/caCUEOWOL4SMKTZ1lO";
    await scim("token", "import", ...of, "--scheme", "sha256", "--hash", sha, "--scope", "scim:read");
    await scim("token", "import", ...of, "--scheme", "hmac-sha256", "--hash", hmac, "--key-file", keyFile);
    expect(await scim("token", "import", ...of, "--scheme", "bcrypt", "--hash", bcrypt)).toContain(
      "/scim/acme/v2",
    );
    const get = async (token: string, base = "/scim/acme/v2") =>
      (await clientOf({ origin: server.origin, base, token }).call("GET", "/Users")).status;
    const stored = () =>
      database.query(
        "SELECT scheme, sealed_key, hash FROM tokens WHERE tenant = 'acme' ORDER BY created, id",
      );
    expect((await stored()).map(({ scheme }) => scheme)).toEqual(["sha256", "hmac-sha256", "bcrypt"]);
    expect(JSON.stringify(await stored())).not.toContain("pepper");

    for (const token of ["legacy-one", "legacy-two", "legacy-three"]) {
      expect([token, await get(token, "/scim/v2")]).toEqual([token, 401]);
      expect([token, await get(token, "/scim/default/v2")]).toEqual([token, 401]);
      expect([token, await get(`${token}x`)]).toEqual([token, 401]);
      expect([token, await get(token)]).toEqual([token, 200]);
      // Found by its new hash now.
      expect([token, await get(token)]).toEqual([token, 200]);
    }
    expect((await stored()).map(({ scheme, sealed_key: key }) => [scheme, key])).toEqual(
      Array.from({ length: 3 }, () => ["keyed", null]),
    );
    expect(await asJson("token", "list", ...of)).toMatchObject({
      tokens: [{ importedAs: null, scopes: ["scim:read"] }, {}, {}],
    });
  });

  test("what other commands change is in the trail as well", async () => {
    const database = await engine.make();
    const { scim } = commandsOn(database);
    await startInProcess(database.environment);
    await scim("index", "add", "--type", "User", "--path", "title");
    await scim("index", "list");
    await scim("webhook", "create", "--to", "https://receiver.example/");
    await scim("webhook", "list");
    await expect(scim("erase", "nobody")).rejects.toThrow("Nothing is kept of 'nobody'");
    await eventually(async () => {
      const trail = await scim("audit", "list", "--tenant", "admin");
      expect(trail).toMatch(/created +Index default\/User\/title +scim index add/);
      expect(trail).toMatch(/created +Webhook default\/\S+ +scim webhook create/);
      expect(trail).toMatch(/created +Command default\/[\w-]{43} +scim erase/);
      expect(trail).toMatch(/replaced +Command default\/[\w-]{43} +scim erase +outcome/);
      expect(trail.trim().split("\n")).toHaveLength(5);
    });
  });

  test("so is what reads the resources of a tenant whole", async () => {
    const database = await engine.make();
    const { scim } = commandsOn(database);
    await startInProcess(database.environment);
    await scim("export", "--type", "Group");
    const folder = newFolder();
    await scim("export", join(folder, "all.jsonl"));
    await expect(scim("export", "--type", "Room")).rejects.toThrow("no resource type 'Room'");
    const backup = scim("backup", join(folder, "copy.db"));
    const isCopied = database.environment["SCIM_DATABASE_URL"]?.startsWith("sqlite:") === true;
    if (isCopied) await backup;
    else await expect(backup).rejects.toThrow("pg_dump");
    await eventually(async () => {
      const lines = (await scim("audit", "list", "--tenant", "admin")).trim().split("\n").slice(1);
      const acts = lines.map((line) => line.match(/(created|replaced) +Command (\S+) +(scim \w+)/)?.slice(1));
      const both = (about: string, command: string) => [
        ["created", about, command],
        ["replaced", about, command],
      ];
      expect(acts).toEqual([
        ...both("default/Group", "scim export"),
        ...both("default", "scim export"),
        ...both("default/Room", "scim export"),
        ...(isCopied ? both("*", "scim backup") : []),
      ]);
    });
  });

  test("administrators have a name and a role", async () => {
    const { scim, asJson } = commandsOn(await engine.make());
    await scim("tenant", "create", "acme");
    const made = await asJson(
      "token",
      "create",
      "--tenant",
      "admin",
      "--role",
      "tenant-admin:acme",
      "--name=Ann",
    );
    expect(made).toMatchObject({ name: "Ann", role: "tenant-admin", tenant: "acme" });
    await scim("token", "create", "--tenant", "admin", "--name=Bo");
    expect(await scim("token", "list", "--tenant", "admin")).toMatch(/Ann +- +tenant-admin:acme +-/);
    expect(await asJson("token", "list", "--tenant", "admin")).toMatchObject({
      tokens: [{ role: "tenant-admin" }, { role: "owner", name: "Bo" }],
    });
  });
});

describe("help", () => {
  test.each(["tenant", "connection", "token"])(
    "scim %s --help teaches that command alone",
    async (command) => {
      const { code, stdout } = await printed([command, "--help"], {});
      expect(code).toBe(EXIT.ok);
      expect(stdout).toContain(`  scim ${command} create`);
      expect(stdout).toMatch(/Examples\n(?: {2}.+\n)+/);
      const usage = stdout.split("\n\n")[1]?.match(/^ {2}scim [a-z]+/gm) ?? [];
      expect(usage.length).toBeGreaterThan(3);
      expect(new Set(usage)).toEqual(new Set([`  scim ${command}`]));
      expect((await printed(["help", command], {})).stdout).toBe(stdout);
    },
  );

  test.each(["import", "audit", "doctor"])("scim %s --help tells of it", async (command) => {
    expect((await printed([command, "-h"], {})).stdout).toContain(`Usage\n  scim ${command}`);
  });
});

describe("refusals", () => {
  test.each([
    [["tenant"], EXIT.usage, "scim tenant list"],
    [["tenant", "create"], EXIT.usage, "Use 'scim tenant create NAME [flags]'"],
    [["tenant", "create", "a", "b"], EXIT.usage, "takes no 'b'. Use 'scim tenant create NAME [flags]'"],
    [["config", "check"], EXIT.usage, "'scim config' takes no 'check'. Use 'scim config [flags]'"],
    [["tenant", "paint", "acme"], EXIT.usage, "scim tenant list"],
    [["tenant", "create", "a.b"], EXIT.usage, "cannot name a tenant"],
    [["tenant", "create", "default"], EXIT.failed, "There is a tenant 'default'"],
    [["tenant", "change", "default"], EXIT.usage, "--display-name"],
    [["tenant", "change", "default", "--discovery", "all"], EXIT.usage, "must be one of token, open"],
    [["tenant", "show", "nowhere"], EXIT.failed, "There is no tenant"],
    [["tenant", "delete", "default", "--exported"], EXIT.failed, "belongs to the server"],
    [["connection"], EXIT.usage, "scim connection list"],
    [["connection", "create", "A"], EXIT.usage, "cannot name a connection"],
    [["connection", "create", "a", "--tenant", "nowhere"], EXIT.failed, "There is no tenant"],
    [["connection", "create", "a", "--profile", "loose"], EXIT.usage, "There is no profile 'loose'"],
    [["connection", "create", "a", "--switches", "x"], EXIT.usage, "--switches must be"],
    [["connection", "create", "a", "--rate", "fast"], EXIT.usage, "--rate must be"],
    [["connection", "create", "a", "--rate", "0"], EXIT.usage, "A rate is at least 0.001"],
    [["connection", "create", "a", "--burst", "5"], EXIT.usage, "--rate must be"],
    [["connection", "change", "default"], EXIT.usage, "State what changes"],
    [["admin", "change", "0199"], EXIT.usage, "State what changes"],
    [["admin", "change", "0199", "--role", "owner"], EXIT.failed, "There is no administrator '0199'."],
    [["admin", "revoke", "0199"], EXIT.failed, "There is no administrator '0199'."],
    [["connection", "change", "default", "--profile", "strict"], EXIT.failed, "settings"],
    [["connection", "delete", "default"], EXIT.failed, "belongs to the server"],
    [["connection", "list", "--tenant", "nowhere"], EXIT.failed, "There is no tenant"],
    [["token", "create", "--tenant", "nowhere"], EXIT.failed, "There is no tenant"],
    [["token", "create", "--connection", "nowhere"], EXIT.failed, "no connection 'nowhere'"],
    [["token", "create", "--scope", "admin:support"], EXIT.usage, "those of administrators"],
    [["token", "revoke", "nothing"], EXIT.failed, "no token 'nothing'"],
    [
      ["token", "create", "--scope", "scim:read:Badge"],
      EXIT.usage,
      "give this command the same by --schemas",
    ],
    [
      ["token", "import", "--scheme", "sha256", "--hash", "0".repeat(64), "--key-file", "/nowhere"],
      EXIT.usage,
      "sha256 has no key",
    ],
    [
      ["token", "import", "--scheme", "hmac-sha256", "--hash", "0".repeat(64), "--key-file", "/nowhere"],
      EXIT.failed,
      "cannot be read",
    ],
  ])("%j", async (args, exitCode, message) => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: newFolder() };
    await expect(runCommand(args, environment)).rejects.toMatchObject({
      name: "CommandFailure",
      exitCode,
      message: expect.stringContaining(message),
    });
  });
});

test("an administrator who has a token is not changed, and is told to be there", async () => {
  const environment = { SCIM_DATABASE_URL: `sqlite:${newFolder()}/scim.db` };
  const made = await printed(["admin", "create", "--name", "Ann", "--role", "owner", "--json"], environment);
  // The command under test wrote it.
  const { id } = JSON.parse(made.stdout) as { readonly id: string };
  const change = printed(["admin", "change", id, "--role", "support"], environment);
  await expect(change).rejects.toMatchObject({
    exitCode: EXIT.failed,
    message: "A token stays as it was made: make another, and revoke this one.",
  });
});
