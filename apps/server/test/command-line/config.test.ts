import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROFILES } from "@scim/core";
import { describe, expect, test } from "vitest";
import { newToken } from "../over-http/server.ts";
import { runCommand } from "../../src/command-line.ts";
import { EXIT } from "../../src/failure.ts";
import { runHere } from "./printed.ts";
import { newFolder, run, VERSION } from "./program.ts";

describe("scim config", () => {
  test("prints value, unit, origin and bound of each setting, and never a secret", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "scim.json"), JSON.stringify({ profile: "entra", "page.size": 50, port: 1 }));
    const secret = Buffer.alloc(32, 7).toString("base64url");
    const token = newToken();
    const environment = {
      SCIM_CONFIG: "scim.json",
      SCIM_PORT: "2",
      SCIM_TOKEN: token,
      SCIM_SECRET_KEYS: `k1:${secret}`,
    };
    const ended = await runHere(["config", "--port", "3", "--groups=off"], { folder, environment });
    expect(ended.code).toBe(0);
    const rows = new Map(
      ended.stdout.split("\n").map((line) => [line.split(" ", 1)[0], line.replaceAll(/ {2,}/g, " | ")]),
    );
    expect(rows.get("port")).toBe("port | 3 | port | flag --port | 0 to 65535");
    expect(rows.get("groups")).toBe("groups | off | flag --groups | direct, transitive, off");
    const profiles = Object.keys(PROFILES).join(", ");
    expect(rows.get("profile")).toBe(`profile | entra | file scim.json | ${profiles}`);
    expect(rows.get("page.size")).toBe("page.size | 50 | resources | file scim.json | 1 to 1000");
    expect(rows.get("retention.deleted")).toBe("retention.deleted | 30 | days | default | 0 to 3650");
    expect(rows.get("token")).toContain("(set, not shown)");
    expect(rows.get("adminToken")).toContain("(not set)");
    expect(ended.stdout).not.toContain(token.slice(-43));
    expect(ended.stdout).not.toContain(secret);
  });

  test.each([
    ["postgres://scim:hunter2@db.example:5432/scim", "postgres://scim:***@db.example:5432/scim"],
    ["postgres://db.example/scim?user=a&password=hunter2", "postgres://db.example/scim?user=a&password=***"],
    [
      "postgres://db.example/scim?PGPASSWORD=hunter2&user=a",
      "postgres://db.example/scim?PGPASSWORD=***&user=a",
    ],
    ["postgres://db.example/scim?Password=hunter2&SslPassword=hunter2", "?Password=***&SslPassword=***"],
    ["postgres://db.example/scim?password=a&password=hunter2", "postgres://db.example/scim?password=***"],
  ])("shows %s without its password", async (SCIM_DATABASE_URL, shown) => {
    const ended = await runHere(["config"], { folder: newFolder(), environment: { SCIM_DATABASE_URL } });
    expect(ended.stdout).toContain(`${shown} `);
    expect(ended.stdout).not.toContain("hunter2");
  });

  test("--help and --version", async () => {
    const folder = newFolder();
    const help = await run(["--help"], { folder });
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("  connection  ");
    expect((await runHere(["serve", "--help"], { folder })).stdout).toContain("--filter-max-results");
    expect(await run([], { folder })).toEqual(help);
    expect(await run(["--version"], { folder })).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
  });

  test("a wrong command line ends with 2 and a sentence on standard error", async () => {
    const ended = await run(["fly"], { folder: newFolder() });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toBe("scim: There is no command 'fly'; 'scim --help' lists the commands.\n");
  });

  test.each([
    [["serve", "--colour", "red"]],
    [["serve", "now"]],
    [["config", "--port"]],
    [["config", "--help=yes"]],
  ])("%j is refused as wrong usage", async (args) => {
    await expect(runCommand(args, {})).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringMatching(/'scim (serve|config) --help' tells more\.$/),
    });
  });
});
