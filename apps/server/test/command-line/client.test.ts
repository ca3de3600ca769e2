import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { EXIT } from "../../src/failure.ts";
import { ADMIN_TOKEN, startAdministered } from "../admin/admin-client.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { askForToken } from "../oauth/clients.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { printed } from "./printed.ts";
import { newFolder } from "./program.ts";

/** Runs a command in this process. Resolves to what it wrote to standard output. */
async function scim(
  environment: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<string> {
  const { code, stdout } = await printed(["client", ...args], environment);
  expect(code).toBe(EXIT.ok);
  return stdout.trim();
}

describe("scim client", () => {
  test("makes a client with secrets and trusts that a running server knows, and takes it away", async () => {
    const folder = mkdtempSync(join(newFolder(), "data-"));
    const environment = { SCIM_DATABASE_URL: `sqlite:${folder}/scim.db`, SCIM_SECRET_KEYS: SECRET_KEYS };
    const { origin } = await startInProcess(environment);
    const run = (...args: readonly string[]): Promise<string> => scim(environment, ...args);
    const id = await run("create", "--name", "Entra", "--scope", "scim:read", "--lifetime", "2h");
    expect(id).toMatch(/^scimclient_default_[\w-]+$/);
    const secret = await run("secret", "add", id, "--expires", "90d");
    expect(secret).toMatch(/^scimsecret_[\w-]{43}$/);
    const ask = (): ReturnType<typeof askForToken> =>
      askForToken(origin, { grant_type: "client_credentials", client_id: id, client_secret: secret });
    expect((await ask()).body).toMatchObject({ expires_in: 7200, scope: "scim:read" });

    const entered =
      "--issuer https://id.example --jwks https://id.example/keys --audience api://scim --subject s --require-jti";
    const trust = await run("trust", "add", id, ...entered.split(" "));
    const shown: unknown = JSON.parse(await run("show", id, "--json"));
    expect(shown).toMatchObject({
      clientId: id,
      name: "Entra",
      connection: "default",
      secrets: [{ createdBy: "command line", lastUsed: expect.any(String) }],
      trusts: [{ id: trust, purpose: "assertion", claim: "sub", requireJti: true }],
    });
    expect(JSON.stringify(shown)).not.toMatch(/scimsecret|hash/);
    const tables = await run("show", id);
    expect(tables).toMatch(new RegExp(`^client_id +${id}\\nname +Entra\\n`));
    expect(tables).toMatch(
      /\n\nSecrets\nid +expires +last used +made by\n[\w-]+ +\S+Z +\S+Z +command line\n/,
    );
    expect(tables).toMatch(
      new RegExp(`\\n\\nTrusts\\n.+\\n${trust} +assertion +https://id.example +api://scim +sub +s$`),
    );
    expect(tables).not.toMatch(/scimsecret|hash/);
    expect(await run("list")).toContain(id);
    expect(JSON.parse(await run("list", "--json"))).toMatchObject({ clients: [{ clientId: id }] });
    await printed(["tenant", "create", "acme"], environment);
    expect(JSON.parse(await run("list", "--json", "--tenant", "acme"))).toEqual({ clients: [] });
    const made: unknown = JSON.parse(await run("secret", "add", id, "--json"));
    expect(made).toMatchObject({ secret: expect.stringMatching(/^scimsecret_/), lastUsed: null });

    await run("trust", "revoke", id, trust);
    expect(await run("show", id)).toMatch(/\n\nTrusts: none$/);
    await run("suspend", id);
    expect((await ask()).status).toBe(401);
    await run("resume", id);
    expect((await ask()).status).toBe(200);
    await run("delete", id);
    expect((await ask()).status).toBe(401);
    await expect(runCommand(["client", "show", id], environment)).rejects.toMatchObject({
      exitCode: EXIT.failed,
    });
  });

  test.each([
    ["on the database", () => []],
    ["at a server", (origin: string) => ["--url", origin]],
  ] as const)(
    "leaves a client alone that is of another connection or tenant than named, %s",
    async (_, at) => {
      const folder = mkdtempSync(join(newFolder(), "data-"));
      const database = { SCIM_DATABASE_URL: `sqlite:${folder}/scim.db`, SCIM_SECRET_KEYS: SECRET_KEYS };
      const { origin } = await startAdministered(database);
      const environment = { ...database, SCIM_ADMIN_TOKEN: ADMIN_TOKEN };
      await printed(["tenant", "create", "acme"], environment);
      await printed(["connection", "create", "okta"], environment);
      const id = await scim(environment, "create", "--connection", "okta");
      const [, secret = ""] =
        /"id": "([^"]+)"/.exec(await scim(environment, "secret", "add", id, "--json")) ?? [];
      const entered = "--issuer https://id.example --jwks https://id.example/keys --audience a --subject s";
      const trust = await scim(environment, "trust", "add", id, ...entered.split(" "));
      const before = await scim(environment, "show", id, "--json");
      for (const args of [
        ["show", id],
        ["suspend", id],
        ["secret", "add", id],
        ["secret", "revoke", id, secret],
        ["trust", "revoke", id, trust],
        ["delete", id],
      ]) {
        const named = (...flags: readonly string[]): Promise<unknown> =>
          runCommand(["client", ...args, ...flags, ...at(origin)], environment);
        await expect(named("--connection", "default"), args.join(" ")).rejects.toThrow(
          /Connection 'default' of tenant 'default' has no client/,
        );
        await expect(named("--tenant", "acme"), args.join(" ")).rejects.toMatchObject({
          exitCode: EXIT.usage,
          message: `${id} is a client of tenant 'default', and --tenant names 'acme'.`,
        });
      }
      expect(await scim(environment, "show", id, "--json", "--tenant", "default")).toBe(before);
    },
  );

  test.each([
    [[]],
    [["destroy"]],
    [["create", "x"]],
    [["create", "--scope", "all"]],
    [["create", "--scope", "admin"]],
    [["create", "--lifetime", "1"]],
    [["create", "--lifetime", "7h"]],
    [["create", "--tenant", "v2"]],
    [["list", "x"]],
    [["show"]],
    [["secret"]],
    [["secret", "add"]],
    [["secret", "revoke", "a"]],
    [["secret", "add", "a", "--expires", "yesterday"]],
    [["trust", "add", "a", "--issuer", "https://id.example"]],
    [["trust", "add", "a", "--purpose", "both"]],
    [["trust", "add", "a", "--claim", "email"]],
    [["delete", "a", "b"]],
  ])("%j is refused as wrong usage", async (args) => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: newFolder() };
    await expect(runCommand(["client", ...args], environment)).rejects.toMatchObject({
      name: "CommandFailure",
      exitCode: EXIT.usage,
    });
  });
});
