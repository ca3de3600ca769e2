/** What a start tells, and refuses, where secret keys are gone that something was made with. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { USER_URN } from "@scim/schemas";
import pino from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { startStore } from "../../src/store/start-store.ts";
import { printed } from "../command-line/printed.ts";
import { ENGINES } from "../over-http/engines.ts";

type Environment = Readonly<Record<string, string>>;

/** What a start tells of the provisioning token, and in warnings. */
async function start(environment: Environment): Promise<{ readonly kind: string; readonly told: string }> {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void lines.push(line) });
  const { opened, token } = await startStore(resolveSettings({ flags: {}, environment }).values, log);
  await opened.store.close();
  return { kind: token.kind, told: lines.join("") };
}

/** A database in a folder of its own, where the first start makes the keys. */
function ownFolder(): { readonly folder: string; readonly environment: Environment } {
  const folder = mkdtempSync(join(tmpdir(), "scim-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, environment: { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` } };
}

const withKey = (environment: Environment, ...keys: readonly number[]): Environment => ({
  ...environment,
  SCIM_SECRET_KEYS: keys.map((key) => `${key}:${Buffer.alloc(32, key).toString("base64url")}`).join(","),
});

describe.each(ENGINES)("on $name", (engine) => {
  test("tokens that no given key made are told of, by the keys that are missing", async () => {
    const { environment } = await engine.make();
    await printed(["token", "create"], { ...withKey(environment, 7), SCIM_MIGRATIONS: "auto" });
    await printed(["token", "create", "--tenant", "admin", "--name", "Ann"], withKey(environment, 7));
    const before = await start(withKey(environment, 7));
    expect(before).toEqual({ kind: "kept", told: "" });
    expect(await start(withKey(environment, 8, 7))).toEqual(before);

    const { kind, told } = await start(withKey(environment, 8));
    expect(kind).toBe("lost");
    expect(
      told
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject(["default", "admin"].map((tenant) => ({ tenant, tokens: 1, keys: ["7"] })));

    const other = await printed(["token", "create"], withKey(environment, 8));
    expect(other.stderr).toContain("1 token of tenant 'default' made with keys that are not given here (7)");
    expect((await start(withKey(environment, 8))).kind).toBe("kept");
  });
});

test("a folder that lost its keys makes others, which are not taken for those", async () => {
  const { folder, environment } = ownFolder();
  expect((await start(environment)).kind).toBe("made");
  const before = readFileSync(join(folder, "keys.json"), "utf8");
  rmSync(join(folder, "keys.json"));

  const { kind, told } = await start(environment);
  const id = /"id": "(?<id>[^"]+)"/.exec(before)?.groups?.["id"];
  expect([kind, told]).toEqual(["lost", expect.stringContaining(`"keys":["${id}"]`)]);
  await expect(printed(["doctor"], environment)).resolves.toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`by key ${id}`),
  });

  writeFileSync(join(folder, "keys.json"), before);
  expect(await start(environment)).toEqual({ kind: "kept", told: "" });
});

test("nobody who was erased comes back where a backup is restored without the keys", async () => {
  const { folder, environment } = ownFolder();
  await start(environment);
  const [people, backup] = [join(folder, "people.jsonl"), join(folder, "backup.db")];
  writeFileSync(people, `${JSON.stringify({ schemas: [USER_URN], id: "p1", userName: "erased-person" })}\n`);
  await printed(["import", people, "--keep-ids"], environment);
  await printed(["backup", backup], environment);
  await printed(["erase", "p1"], environment);
  cpSync(backup, join(folder, "scim.db"));
  rmSync(join(folder, "keys.json"));

  await expect(start(environment)).rejects.toThrow("which is not among the secret keys");
});

test.each(["is gone", "is empty"])(
  "a start tells that it begins anew where the database %s and the credentials are there",
  async (how) => {
    const { folder, environment } = ownFolder();
    expect(await start(environment)).toEqual({ kind: "made", told: "" });
    const database = join(folder, "scim.db");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
    if (how === "is empty") writeFileSync(database, "");
    const { kind, told } = await start(environment);
    expect(kind).toBe("made");
    expect(JSON.parse(told)).toMatchObject({
      credentials: join(folder, "credentials"),
      msg: expect.stringMatching(/^the database is new, .* if a backup was to be restored, stop the server/),
    });
    expect(await start(environment)).toEqual({ kind: "kept", told: "" });
  },
);
