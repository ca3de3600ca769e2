import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { exchange } from "../over-http/exchange.ts";
import { runCommand } from "../../src/command-line.ts";
import { EXIT } from "../../src/failure.ts";
import { runHere } from "./printed.ts";
import { newFolder, serve } from "./program.ts";

describe("scim token", () => {
  test("makes, lists and revokes tokens of a server that runs", async () => {
    const folder = newFolder();
    const { origin } = await serve({ folder });
    const made = await runHere(
      [
        "token",
        "create",
        "--scope",
        "scim:read",
        "--scope",
        "scim:delete",
        "--subject",
        "2819",
        "--expires",
        "90d",
      ],
      { folder },
    );
    expect(made.code).toBe(0);
    expect(made.stdout).toMatch(/^scim_default_[\w-]{43}\n$/);
    const token = made.stdout.trim();
    const id = /Token (?<id>\S+) of/.exec(made.stderr)?.groups?.["id"] ?? "";
    const headers = { authorization: `Bearer ${token}` };
    const status = async (method: string): Promise<number> =>
      (
        await exchange(origin, {
          method,
          path: "/scim/v2/Users",
          headers,
          body: method === "POST" ? "{}" : null,
        })
      ).status;
    expect([await status("GET"), await status("POST")]).toEqual([200, 403]);

    const listed = await runHere(["token", "list"], { folder });
    const row = listed.stdout.split("\n").find((line) => line.startsWith(id));
    expect(row).toMatch(/- +default +scim:read scim:delete +2819 +20\d\d-\S+ +never +good/);
    expect(listed.stdout).not.toContain(token.slice(-43));

    expect((await runHere(["token", "revoke", id], { folder })).code).toBe(0);
    await delay(1000);
    expect(await status("GET")).toBe(401);
    expect((await runHere(["token", "revoke", id], { folder })).code).toBe(1);
  });

  test.each([
    ["a variable", [], { SCIM_TOKEN_KEY: "" }],
    ["a file", ["--key-file", "/dev/null"], {}],
  ])("%s without a key is none", async (_name, flags, own) => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: newFolder(), ...own };
    const args = ["token", "import", "--scheme", "hmac-sha256", "--hash", "0".repeat(64), ...flags];
    await expect(runCommand(args, environment)).rejects.toThrow(
      "The key of hmac-sha256 comes by --key-file FILE or the variable SCIM_TOKEN_KEY.",
    );
  });

  test.each([
    [
      ["token", "create", "--scope", "all"],
      /must be one of scim, .+, scim:diagnostics, or one for a resource type/,
    ],
    [["token", "import", "--role", "owner"], "'scim token import' has no flag '--role'"],
  ])("%j is told of what a tenant's token may have, and of nothing else", async (args, told) => {
    await expect(runCommand(args, { SCIM_DATABASE_URL: "sqlite::memory:" })).rejects.toThrow(told);
  });

  test.each([
    [["token"]],
    [["token", "destroy"]],
    [["token", "revoke"]],
    [["token", "revoke", "a", "b"]],
    [["token", "create", "x"]],
    [["token", "create", "--scope", "all"]],
    [["token", "create", "--scope", "admin"]],
    [["token", "create", "--tenant", "admin", "--name", "Ann", "--scope", "scim"]],
    [["token", "create", "--expires", "1d", "--never-expires"]],
    [["token", "create", "--role", "operator"]],
    [["token", "create", "--tenant", "admin", "--role", "king"]],
    [["token", "create", "--tenant", "admin", "--role", "tenant-admin"]],
    [["token", "create", "--tenant", "admin", "--role", "owner:acme"]],
    [["token", "create", "--tenant", "admin", "--name", "Ann", "--role", "operator:"]],
    [["token", "create", "--tenant", "admin", "--name", "Ann", "--role", "tenant-admin:acme:x"]],
    [["token", "create", "--name", " "]],
    [["token", "import"]],
    [["token", "import", "--scheme", "md5", "--hash", "x"]],
    [["token", "import", "--scheme", "sha256", "--hash", "x"]],
    [["token", "import", "--scheme", "hmac-sha256", "--hash", "0".repeat(64)]],
    [["token", "create", "--expires", "yesterday"]],
    [["token", "create", "--expires", "2020-01-01T00:00:00Z"]],
    [["token", "create", "--colour", "red"]],
  ])("%j is refused as wrong usage", async (args) => {
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: newFolder() };
    await expect(runCommand(args, environment)).rejects.toMatchObject({
      name: "CommandFailure",
      exitCode: EXIT.usage,
    });
  });
});
