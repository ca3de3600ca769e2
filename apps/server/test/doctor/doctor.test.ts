import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonArray, isJsonObject, type JsonObject } from "@scim/schemas";
import { describe, expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import type { Check, Outcome } from "../../src/doctor/check.ts";
import { diskCheck } from "../../src/doctor/check-machine.ts";
import { checkPositions, type DatabaseSetting } from "../../src/doctor/check-database.ts";
import { examine } from "../../src/doctor/examine.ts";
import { EXIT, type ExitCode } from "../../src/failure.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import type { Settings } from "../../src/settings/table.ts";
import { printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { ENGINES, SQLITE, SECRET_KEYS, type TestDatabase } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { newToken } from "../over-http/server.ts";

const NOW = Date.parse("2100-01-01T00:00:00Z");

function settingsOf(environment: Readonly<Record<string, string>>): Settings {
  return resolveSettings({ flags: {}, environment }).values;
}

/** Outcome by name, of the checks that are not fine. */
function troubles(checks: readonly Check[]): Readonly<Record<string, Outcome>> {
  return Object.fromEntries(
    checks.filter(({ outcome }) => outcome !== "ok").map(({ name, outcome }) => [name, outcome]),
  );
}

/** A database with a schema, a user and a group with a member that is gone, and no server. */
async function served(database: TestDatabase): Promise<TestDatabase> {
  const server = await startInProcess(database.environment);
  const user = await server.user({ userName: "anna" });
  await server.group({ displayName: "a", members: [{ value: user.id }, { value: "gone" }] });
  await server.stop();
  return database;
}

/** A secret key beside that of the databases. */
const OTHER = `other:${Buffer.alloc(32, 6).toString("base64url")}`;

/** Runs a command with the other key first, and takes what it prints as JSON. */
type Run = (...args: readonly string[]) => Promise<JsonObject>;

/** What is lost with the other key, and what makes it. */
const KEPT: readonly (readonly [lost: string, make: (run: Run) => Promise<unknown>])[] = [
  ["1 of [12] tokens? by key other", (run) => run("token", "create", "--never-expires")],
  // A start on SQLite makes one of an administrator.
  ["1 of [12] tokens? by key other", (run) => run("admin", "create", "--name", "Sue", "--role", "support")],
  [
    "1 of 1 client secret by key other",
    async (run) => {
      const client = await run("client", "create");
      await run("client", "secret", "add", String(client["clientId"]), "--expires", "90d");
    },
  ],
  [
    "1 of 1 key of an imported token",
    (run) => run("token", "import", "--scheme", "hmac-sha256", "--hash", "0".repeat(64)),
  ],
  ["1 of 1 webhook secret", (run) => run("webhook", "create", "--to", "https://hooks.example/")],
  [
    "1 of 1 stream secret, 1 of 1 signing key",
    (run) => run("stream", "create", "--audience", "https://receiver.example"),
  ],
  ["1 of 1 signing key", (run) => run("stream", "rotate-key", "--now")],
];

/** Makes some for a tenant `acme`, the other key first. */
async function makeWithOther(
  environment: Readonly<Record<string, string>>,
  makes: readonly ((run: Run) => Promise<unknown>)[],
): Promise<void> {
  const keys = `${OTHER},${String(environment["SCIM_SECRET_KEYS"])}`;
  await printed(["tenant", "create", "acme"], environment);
  for (const make of makes)
    await make(async (...args) => {
      const isOfAll = args[0] === "admin" || args[1] === "rotate-key";
      const called = [...args, ...(isOfAll ? [] : ["--tenant", "acme"]), "--json"];
      const { stdout } = await printed(called, {
        ...environment,
        SCIM_SECRET_KEYS: keys,
        SCIM_TOKEN_KEY: "pepper",
      });
      return JSON.parse(stdout) as JsonObject;
    });
}

/** What is found of the secret keys that `acme` needs. */
async function keysCheck(environment: Readonly<Record<string, string>>): Promise<Check | undefined> {
  const { checks } = await examine(settingsOf(environment), { tenant: "acme" }, Date.now());
  return checks.find(({ name }) => name === "secret keys");
}

describe.each(ENGINES)("a doctor on $name", (engine) => {
  test("finds an installation sound, counts what references lack, and warns of events without position", async () => {
    const { environment } = await served(await engine.make());
    const { checks, findings } = await examine(settingsOf(environment), { tenant: "default" }, NOW);
    const { references, ...others } = troubles(checks);
    expect(references).toBe("warning");
    // A server that stops may leave events for the next; the files of a test are readable by its group.
    expect(Object.values(others)).not.toContain("wrong");
    expect(checks.find(({ name }) => name === "writes")?.outcome).toBe("ok");
    // A start on SQLite makes a token of an administrator.
    expect(checks.find(({ name }) => name === "administrators")).toMatchObject(
      engine.name === "SQLite"
        ? { outcome: "ok" }
        : { outcome: "warning", remedy: expect.stringContaining("scim token create --tenant admin") },
    );
    expect(findings.map(({ list, count }) => [list, count])).toEqual([
      ["orphanedGroupMembers", 1],
      ["inconsistentUserGroups", 0],
      ["cyclicGroupMembers", 0],
    ]);
  });

  test("sees keys that are lost, a table that is, a migration that reads differently and one that is pending", async () => {
    const database = await served(await engine.make());
    const { environment } = database;
    const otherKeys = settingsOf({ ...environment, SCIM_SECRET_KEYS: SECRET_KEYS.replace("1:", "2:") });
    const lost = await examine(otherKeys, { tenant: "default" }, NOW);
    expect(troubles(lost.checks)["secret keys"]).toBe("wrong");
    await database.query("ALTER TABLE resources RENAME TO of_old");
    const bare = await examine(settingsOf(environment), { tenant: "default" }, NOW);
    expect(bare.checks[0]).toMatchObject({
      name: "database",
      outcome: "wrong",
      detail: expect.stringContaining("no table 'resources'"),
    });
    await database.query("UPDATE migrations SET checksum = 'x' WHERE number = 1");
    const changed = await examine(settingsOf(environment), { tenant: "default" }, NOW);
    expect(changed.checks[0]).toMatchObject({ name: "database", outcome: "wrong" });
    expect(changed.checks[0]?.detail).toContain("0001-resources reads differently");
    await database.query("DELETE FROM migrations WHERE number > 0");
    const pending = await examine(settingsOf(environment), { tenant: "default" }, NOW);
    expect(pending.checks[0]?.detail).toContain("lacks 0001-resources");
  });

  test("sees schemas of a tenant that do not fit any more, and lets go of the database", async () => {
    const database = await served(await engine.make());
    const { environment } = database;
    const folder = newFolder();
    const id = "urn:example:params:scim:schemas:core:2.0:Seat";
    const schema = { id, name: "Seat", attributes: [{ name: "label", type: "string" }] };
    writeFileSync(join(folder, "schema.json"), JSON.stringify(schema));
    writeFileSync(
      join(folder, "type.json"),
      JSON.stringify({ name: "Seat", endpoint: "/Seats", schema: id }),
    );
    await printed(["tenant", "create", "acme"], environment);
    await printed(["schema", "add", folder, "--tenant", "acme"], environment);
    await database.query("DELETE FROM tenant_documents WHERE name LIKE 'urn%'");
    const { checks } = await examine(settingsOf(environment), { tenant: "acme" }, NOW);
    expect(checks[0]).toMatchObject({ name: "database", outcome: "wrong" });
    expect(checks[0]?.detail).toContain("schemas of the tenant do not fit");
    const path = environment["SCIM_DATABASE_URL"]?.replace(/^sqlite:/, "") ?? "";
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test("looks at each tenant in turn, unless one is named", async () => {
    const { environment } = await served(await engine.make());
    for (const name of ["acme", "ending", "gone", "sound"])
      await printed(["tenant", "create", name], environment);
    await printed(["token", "create", "--tenant", "acme"], {
      ...environment,
      SCIM_SECRET_KEYS: SECRET_KEYS.replace("1:", "2:"),
    });
    await printed(["token", "create", "--tenant", "ending", "--expires", "10d"], environment);
    // What administrators have is told once, and of no tenant.
    await printed(["token", "create", "--tenant", "admin", "--name", "Ann", "--expires", "10d"], environment);
    await printed(["tenant", "suspend", "gone"], environment);
    await printed(["tenant", "delete", "gone", "--exported"], environment);
    const { code, text } = await doctor(environment);
    expect(code).toBe(EXIT.failed);
    expect(text).toMatch(/\nTenant acme\nwrong +secret keys[^]*\nTenant ending\nwarning +tokens/);
    expect(text).toContain("Nothing to look at in 1 further tenant.");
    const whole = JSON.parse((await doctor(environment, "--json")).text) as {
      readonly sound: boolean;
      readonly checks: readonly Check[];
      readonly others: readonly { readonly tenant: string; readonly checks: readonly Check[] }[];
    };
    expect(whole.sound).toBe(false);
    expect(troubles(whole.checks)).toMatchObject({ tokens: "warning" });
    expect(whole.others.map(({ tenant, checks }) => [tenant, troubles(checks)])).toEqual([
      ["acme", { "secret keys": "wrong" }],
      ["ending", { tokens: "warning" }],
      // Rules of new connections hold from their beginning, also where no server has run since.
      ["sound", {}],
    ]);
    expect((await doctor(environment, "--tenant", "sound", "--json")).code).toBe(EXIT.ok);
  });

  test("sees all at once that is lost without a secret key", async () => {
    const { environment } = await served(await engine.make());
    await makeWithOther(
      environment,
      KEPT.map(([, make]) => make),
    );
    const detail = (await keysCheck(environment))?.detail;
    const kinds = KEPT.flatMap(([lost]) => lost.split(", ")).map((each) => each.replace(/^1 of \S+ /, ""));
    for (const kind of kinds) expect(detail).toMatch(new RegExp(kind));
    const { checks, others } = await examine(
      settingsOf(environment),
      { tenant: "default", others: true },
      Date.now(),
    );
    const details = [checks, others[0]?.checks].map(
      (each) => each?.find(({ name }) => name === "secret keys")?.detail,
    );
    expect(details).toEqual([
      expect.stringContaining("signing key"),
      expect.not.stringContaining("signing key"),
    ]);
  });
});

describe("a doctor, whatever its database", () => {
  test("tells SCIM_ADMIN_TOKEN from tokens of administrators by name", async () => {
    const { environment } = await served(await SQLITE.make());
    const json = async (...args: readonly string[]): Promise<JsonObject> =>
      JSON.parse((await printed([...args, "--json"], environment)).stdout) as JsonObject;
    const detail = async (): Promise<string | undefined> => {
      const { checks } = await examine(settingsOf(environment), { tenant: "default" }, Date.now());
      return checks.find(({ name }) => name === "administrators")?.detail;
    };
    const begun = await startInProcess({ ...environment, SCIM_ADMIN_TOKEN: newToken("admin") });
    await begun.stop();
    await json("admin", "create", "--name", "Sue", "--role", "support");
    expect(await detail()).toContain("and SCIM_ADMIN_TOKEN is good");
    const { tokens } = await json("token", "list", "--tenant", "admin");
    for (const { id, name } of isJsonArray(tokens) ? tokens.filter(isJsonObject) : [])
      if (name === null) await json("token", "revoke", String(id), "--tenant", "admin");
    expect(await detail()).toContain("no SCIM_ADMIN_TOKEN is good, and 1 token of an administrator is");
  });

  test.each(KEPT)("sees what is lost without a secret key: %s", async (lost, make) => {
    const { environment } = await served(await SQLITE.make());
    await makeWithOther(environment, [make]);
    const found = await keysCheck(environment);
    expect(found).toMatchObject({ outcome: "wrong", remedy: expect.stringContaining("Give those keys too") });
    expect(found?.detail).toMatch(new RegExp(`^made or sealed with keys that are not given: ${lost}$`));
    const given = `${String(environment["SCIM_SECRET_KEYS"])},${OTHER}`;
    expect(await keysCheck({ ...environment, SCIM_SECRET_KEYS: given })).toMatchObject({ outcome: "ok" });
  });

  test("asks no more for the secret key of a signing key that was replaced", async () => {
    const { environment } = await served(await SQLITE.make());
    const rotate = (more: Readonly<Record<string, string>>) =>
      printed(["stream", "rotate-key", "--now"], { ...environment, ...more });
    const checkOf = async (): Promise<Check | undefined> => {
      const { checks } = await examine(settingsOf(environment), { tenant: "default" }, Date.now());
      return checks.find(({ name }) => name === "secret keys");
    };
    await rotate({ SCIM_SECRET_KEYS: `${OTHER},${String(environment["SCIM_SECRET_KEYS"])}` });
    expect(await checkOf()).toMatchObject({ outcome: "wrong" });
    await rotate({});
    expect(await checkOf()).toMatchObject({ outcome: "ok" });
  });

  test("sees a clock behind earlier events, though the last one has its time", async () => {
    const database = await served(await SQLITE.make());
    const { environment } = database;
    const clock = async (): Promise<Outcome | undefined> => {
      const { checks } = await examine(settingsOf(environment), { tenant: "default" }, 0);
      return troubles(checks)["clock"];
    };
    const server = await startInProcess(environment);
    await eventually(async () => {
      const placed = await database.query(
        "SELECT position FROM events WHERE tenant = 'default' AND position = 2",
      );
      expect([placed.length, await clock()]).toEqual([1, "wrong"]);
    });
    await server.stop();
    await database.query(`UPDATE events SET at = '1970-01-01T00:00:00.000Z' WHERE tenant = 'default'
      AND position = (SELECT max(position) FROM events WHERE tenant = 'default')`);
    expect(await clock()).toBe("wrong");
  });
});

test.each(ENGINES.filter(({ name }) => name === "PostgreSQL"))(
  "a $name that can only be read is told as one, as a replica is",
  async ({ make }) => {
    const database = await served(await make());
    await database.query(
      "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$",
    );
    const { checks } = await examine(settingsOf(database.environment), { tenant: "default" }, NOW);
    expect(checks.find(({ name }) => name === "writes")).toMatchObject({
      outcome: "wrong",
      detail: expect.stringContaining("read-only"),
    });
  },
);

test("a database that is not there is not made", async () => {
  const path = join(newFolder(), "none.db");
  const { checks } = await examine(
    settingsOf({ SCIM_DATABASE_URL: `sqlite:${path}` }),
    { tenant: "default" },
    NOW,
  );
  expect(checks[0]).toMatchObject({ name: "database", outcome: "wrong" });
  expect(existsSync(path)).toBe(false);
});

test.each([
  [100, "wrong"],
  [1000, "warning"],
  [4000, "ok"],
] as const)("%i MiB free are %s", (mebibytes, outcome) => {
  expect(diskCheck("free disk", "/data", mebibytes * 1_048_576).outcome).toBe(outcome);
});

test.each([
  ["no event waits for one", 0, null, "ok"],
  ["1 event waits, the first for 1 second", 1, "2099-12-31T23:59:59.000Z", "ok"],
  ["9,999 events wait, the first for 3,600 seconds", 9999, "2099-12-31T23:00:00.000Z", "warning"],
  ["at least 10,000 events wait, the first for 3,600 seconds", 10_000, "2099-12-31T23:00:00.000Z", "warning"],
])("positions: %s", async (detail, events, oldest, outcome) => {
  const waitingEvents = async () => ({ events, oldest });
  // Nothing else is asked of it.
  const store = { waitingEvents } as unknown as DatabaseSetting["store"];
  expect(await checkPositions({ store, now: NOW })).toMatchObject({ outcome, detail });
});

/** Runs `scim doctor` in this process. */
async function doctor(
  environment: Readonly<Record<string, string>>,
  ...flags: readonly string[]
): Promise<{ readonly code: ExitCode; readonly text: string }> {
  const { code, stdout } = await printed(["doctor", ...flags], environment);
  return { code, text: stdout };
}

test("the command prints a table, or JSON, and fails where something is wrong", async () => {
  const folder = newFolder();
  const environment = { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` };
  await served({ environment, query: async () => [], copy: () => Promise.reject(new Error("none")) });
  chmodSync(join(folder, "scim.db"), 0o600);
  const table = await doctor(environment);
  expect([table.code, table.text]).toEqual([EXIT.ok, expect.stringMatching(/^ok +database/)]);
  expect(table.text).toContain("orphanedGroupMembers (1)");

  chmodSync(join(folder, "keys.json"), 0o640);
  const wrong = await doctor({ ...environment, SCIM_HOST: "0.0.0.0" }, "--json");
  const { sound, checks } = JSON.parse(wrong.text) as { sound: boolean; checks: readonly Check[] };
  expect([wrong.code, sound]).toEqual([EXIT.failed, false]);
  expect(troubles(checks)).toMatchObject({ "data folder": "wrong", "public address": "wrong" });
  expect(wrong.text).not.toContain(secretsOf(folder));

  writeFileSync(join(folder, "keys.json"), "{}", { mode: 0o600 });
  expect((await doctor(environment)).code).toBe(EXIT.failed);
  await expect(doctor(environment, "--tenant", "No!")).rejects.toThrow("no name of a tenant");
});

function secretsOf(folder: string): string {
  const { keys } = JSON.parse(readFileSync(join(folder, "keys.json"), "utf8")) as {
    keys: readonly { secret: string }[];
  };
  return keys[0]?.secret ?? "";
}
