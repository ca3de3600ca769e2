import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { dropDatabase, newDatabase } from "@scim/fixtures/postgres";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { EXIT } from "../../src/failure.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { eventually } from "../eventually.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { newToken } from "../over-http/server.ts";
import { takenPort } from "../taken-port.ts";
import { captured, interruption, runHere, within, type Written } from "./printed.ts";
import { newFolder, run, serve, type Run } from "./program.ts";

/** A line `NAME=value` of the file of credentials. */
function credential(folder: string, name: string): string {
  const lines = readFileSync(join(folder, "data/credentials"), "utf8").split("\n");
  return lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}

async function statusOf(origin: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await exchange(origin, { method: "GET", path: "/scim/v2/Users", headers })).status;
}

/** What a start in a folder tells, in the process of the test; it is ended when some work with its origin is done. */
async function toldAtStart(
  { folder, environment = {} }: Run,
  work: (origin: string) => Promise<void> = async () => undefined,
): Promise<string> {
  const args = ["serve", "--port", "0", "--log-level", "silent"];
  const stop = interruption();
  const serving = async (written: Readonly<Written>): Promise<void> => {
    const ended = runCommand(args, environment);
    await Promise.race([ended, eventually(() => expect(written.stderr).toMatch(/^ {2}Try /m))]);
    try {
      await work(/http:\/\/127\.0\.0\.1:[0-9]+/.exec(written.stderr)?.[0] ?? "");
    } finally {
      stop();
    }
    expect(await ended).toBe(EXIT.ok);
  };
  return (await within(folder, () => captured(serving))).stderr;
}

describe("the first start", () => {
  test("makes keys, tokens and a database that only their owner can read, and tells where they are", async () => {
    const folder = newFolder();
    const server = await serve({ folder });
    for (const name of ["credentials", "keys.json", "scim.db"]) {
      expect([name, statSync(join(folder, "data", name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    expect(readFileSync(join(folder, "data/credentials"), "utf8")).toMatch(
      /^SCIM_TOKEN=scim_default_[\w-]{43}\nSCIM_ADMIN_TOKEN=scim_admin_[\w-]{43}\n$/,
    );
    const token = credential(folder, "SCIM_TOKEN");
    expect(server.stderr()).toContain(
      `curl -H "Authorization: Bearer $(sed -n 's/^SCIM_TOKEN=//p' data/credentials)" ${server.origin}/scim/v2/Users`,
    );
    expect(await statusOf(server.origin, token)).toBe(200);
    // Standard output is no terminal here: the token must not stand in a log.
    expect(server.stdout() + server.stderr()).not.toContain(token.slice(-43));
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("the next start keeps the tokens and says how to make another; that of the administration opens no SCIM address", async () => {
    const folder = newFolder();
    await toldAtStart({ folder });
    const token = credential(folder, "SCIM_TOKEN");
    const told = await toldAtStart({ folder }, async (origin) => {
      expect(await statusOf(origin, token)).toBe(200);
      expect(await statusOf(origin, credential(folder, "SCIM_ADMIN_TOKEN"))).toBe(403);
    });
    expect(credential(folder, "SCIM_TOKEN")).toBe(token);
    expect(told).toMatch(/scim (?:-- )?token create/);
  });

  test("a token that was revoked is offered by no later start, and none is made in its place", async () => {
    const folder = newFolder();
    const told = () => toldAtStart({ folder });
    await told();
    const token = credential(folder, "SCIM_TOKEN");
    const listed = JSON.parse((await runHere(["token", "list", "--json"], { folder })).stdout);
    await runHere(["token", "revoke", String(listed.tokens[0].id)], { folder });
    const none = await told();
    expect(none).toMatch(
      /Token +those made before were revoked, or have ended; make another with: .*token create\n/,
    );
    expect(none).toContain('curl -H "Authorization: Bearer <token>"');
    expect(credential(folder, "SCIM_TOKEN")).toBe(token);
    await runHere(["token", "create"], { folder });
    const another = await told();
    expect(another).toMatch(/Token +made before; another with: .*token create\n/);
    expect(another).toContain('curl -H "Authorization: Bearer <token>"');
  });

  test.each(["tenant", "connection"])(
    "a token of a %s that is suspended is offered by no start",
    async (what) => {
      const folder = newFolder();
      const told = () => toldAtStart({ folder });
      await told();
      await runHere([what, "suspend", "default"], { folder });
      const refused = await told();
      expect(refused).toMatch(
        new RegExp(
          `Token +refused, since the ${what} 'default' is suspended\n +Try +.*${what} resume default\n`,
        ),
      );
      expect(refused).not.toContain("curl");
      await runHere([what, "resume", "default"], { folder });
      expect(await told()).toMatch(/Token +made on an earlier start, .*\n +Try +curl /);
    },
  );

  test("of another database, in memory or in the same folder, loses no token of the first", async () => {
    const folder = newFolder();
    const first = await serve({ folder });
    const [token, admin] = ["SCIM_TOKEN", "SCIM_ADMIN_TOKEN"].map((name) => credential(folder, name));
    await serve({ folder, environment: { SCIM_DATABASE_URL: "sqlite::memory:" } });
    expect(credential(folder, "SCIM_TOKEN")).toBe(token);
    const second = await serve({ folder, environment: { SCIM_DATABASE_URL: "sqlite:./data/other.db" } });
    expect(await statusOf(second.origin, credential(folder, "SCIM_TOKEN"))).toBe(200);
    const kept = readFileSync(join(folder, "data/credentials"), "utf8");
    expect(kept).toContain(`# replaced: SCIM_TOKEN=${token ?? ""}\n`);
    expect(kept).toContain(`# replaced: SCIM_ADMIN_TOKEN=${admin ?? ""}\n`);
    expect(await statusOf(first.origin, token ?? "")).toBe(200);
  });

  test("a database in memory keeps its secrets under ./data, or where it is told", async () => {
    const folder = newFolder();
    const environment = { SCIM_DATABASE_URL: "sqlite::memory:", SCIM_DATA_DIR: "secrets" };
    await toldAtStart({ folder, environment }, async (origin) => {
      expect(existsSync(join(folder, "data"))).toBe(false);
      const text = readFileSync(join(folder, "secrets/credentials"), "utf8");
      expect(await statusOf(origin, /^SCIM_TOKEN=(.*)$/m.exec(text)?.[1] ?? "")).toBe(200);
    });
    await toldAtStart({ folder, environment: { SCIM_DATABASE_URL: "sqlite::memory:" } }, async (origin) => {
      expect(await statusOf(origin, credential(folder, "SCIM_TOKEN"))).toBe(200);
    });
  });
});

describe("SCIM_TOKEN", () => {
  test("is taken, and not written down", async () => {
    const folder = newFolder();
    const token = newToken();
    const server = await serve({ folder, environment: { SCIM_TOKEN: token } });
    expect(await statusOf(server.origin, token)).toBe(200);
    expect(credential(folder, "SCIM_TOKEN")).toBe("");
    expect(server.stdout() + server.stderr()).not.toContain(token.slice(-43));
    expect(server.stderr()).toContain("Bearer $SCIM_TOKEN");
  });

  test("another one takes its place, and none takes it away", async () => {
    const folder = newFolder();
    const tokens = [newToken(), newToken()];
    const statuses: number[][] = [];
    const given = [...tokens.map((token) => ({ SCIM_TOKEN: token })), {}];
    for (const environment of given) {
      await toldAtStart({ folder, environment }, async (origin) => {
        statuses.push(await Promise.all(tokens.map((token) => statusOf(origin, token))));
      });
    }
    expect(statuses).toEqual([
      [200, 401],
      [401, 200],
      [401, 401],
    ]);
    expect(credential(folder, "SCIM_TOKEN")).toMatch(/^scim_default_/);
  });

  test("of another form is refused with the form to use", async () => {
    const folder = newFolder();
    const token = newToken("other");
    const ended = await runHere(["serve"], { folder, environment: { SCIM_TOKEN: token } });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("SCIM_TOKEN must have the form scim_default_<43 characters");
    expect(ended.stderr).not.toContain(token);
    expect(existsSync(join(folder, "data"))).toBe(false);
  });
});

describe("what cannot be served is refused at once", () => {
  test("PostgreSQL without keys that all processes share; the failure says how to make one", async () => {
    const environment = { SCIM_DATABASE_URL: "postgres://scim:hunter2@db.example/scim" };
    const ended = await runHere(["serve"], { folder: newFolder(), environment });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("SCIM_SECRET_KEYS must be given on PostgreSQL");
    expect(ended.stderr).not.toContain("hunter2");
    const make = /make one with: (?<command>.*)$/m.exec(ended.stderr)?.groups?.["command"] ?? "";
    const keys = execFileSync("sh", ["-c", make], { encoding: "utf8" }).trim();
    expect(
      resolveSettings({ flags: { "secret-keys": keys }, environment: {} }).values.secretKeys,
    ).toHaveLength(1);
  });

  test("a port that is taken; nothing else is told, by what had begun beside it on PostgreSQL either", async () => {
    const port = await takenPort();
    const url = await newDatabase(inject("postgresUrl"));
    onTestFinished(() => dropDatabase(url));
    const environment = {
      SCIM_DATABASE_URL: url,
      SCIM_SECRET_KEYS: SECRET_KEYS,
      SCIM_MIGRATIONS: "auto",
      SCIM_TOKEN: newToken(),
      SCIM_ADMIN_TOKEN: `scim_admin_${"a".repeat(43)}`,
    };
    const ended = await run(["serve", "--port", port], { folder: newFolder(), environment });
    expect(ended).toMatchObject({ code: 1, stdout: expect.not.stringContaining('"level":50') });
    expect(ended.stderr).toMatch(/^scim: Cannot listen on 127\.0\.0\.1 port [0-9]+: .*EADDRINUSE.* --port/m);
  });

  test("a folder that cannot be written", async () => {
    const environment = { SCIM_DATA_DIR: "/dev/null/scim" };
    const ended = await runHere(["serve"], { folder: newFolder(), environment });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain("/dev/null/scim/keys.json cannot be written");
  });
});
