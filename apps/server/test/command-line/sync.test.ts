import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { postgresSource, SourceError } from "@scim/sync";
import { describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { eventually } from "../eventually.ts";
import { newToken } from "../over-http/server.ts";
import { startInProcess, type InProcessServer } from "../over-http/in-process.ts";
import { interruptible, interruption, printed } from "./printed.ts";

const TOKEN = newToken();

/** Of another tenant. */
const NORTH = newToken("north");

const MAPPING = `
resources:
  - type: User
    key: "{id}"
    match: externalId
    set: { externalId: "{id}", userName: "{mail | lower}", active: true }
    leavers: deactivate
limits:
  leavers: { most: 1 }
`;

/** A server, and `scim sync` against it on files of its own. */
async function aSync(source: string): Promise<{
  readonly server: InProcessServer;
  readonly folder: string;
  readonly write: (name: string, text: string) => string;
  readonly sync: (...flags: readonly string[]) => ReturnType<typeof printed>;
  /** By another token. */
  readonly syncAs: (token: string, ...flags: readonly string[]) => ReturnType<typeof printed>;
}> {
  const server = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: TOKEN });
  const folder = mkdtempSync(join(tmpdir(), "scim-sync-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const mapping = write("mapping.yaml", MAPPING);
  const target = `${server.origin}/scim/v2`;
  const where = source.replace("FOLDER", folder);
  const sync = (...flags: readonly string[]): ReturnType<typeof printed> => syncAs(TOKEN, ...flags);
  const syncAs = (token: string, ...flags: readonly string[]): ReturnType<typeof printed> => {
    const from = flags.includes("--drift") ? [] : ["--source", where];
    return printed(["sync", ...from, "--target", target, "--mapping", mapping, ...flags], {
      SCIM_TOKEN: token,
    });
  };
  return { server, folder, write, sync, syncAs };
}

describe("scim sync", () => {
  test("plans, applies, changes nothing the second time, and tells drift", async () => {
    const { sync, write, server } = await aSync("FOLDER/people.csv");
    write("people.csv", "id,mail\n1,Ada@example.com\n2,Grace@example.com\n");
    const planned = await sync();
    expect(planned.stdout).toMatch(/^ +create +update.*\nUser +2 +0 +0/);
    expect(planned.stdout).toContain("Nothing was written. Apply it by --apply.");
    const applied = await sync("--apply", "--json");
    expect(applied.code).toBe(EXIT.ok);
    expect(applied.stdout).toBe(`${JSON.stringify(JSON.parse(applied.stdout), null, 2)}\n`);
    expect(JSON.parse(applied.stdout)).toMatchObject({ report: { done: { create: 2 }, failures: [] } });
    expect((await sync("--apply")).stdout).toContain("0 created, 0 updated");
    expect(await sync("--drift")).toMatchObject({
      code: EXIT.ok,
      stdout: "2 resources are what was applied last.\n",
    });

    const { body } = await server.call("GET", '/Users?filter=externalId%20eq%20"1"');
    const [{ id }] = body["Resources"] as [{ id: string }];
    await server.call("DELETE", `/Users/${id}`);
    const drift = await sync("--drift");
    expect(drift).toMatchObject({ code: EXIT.failed });
    expect(drift.stdout).toMatch(/deleted +User +1/);
  });

  test("refuses a plan beyond its limits, and what is wrong, with a sentence and a code", async () => {
    const { sync, write } = await aSync("FOLDER/people.csv");
    write("people.csv", "id,mail\n1,a@example.com\n2,b@example.com\n3,c@example.com\n");
    await sync("--apply");
    write("people.csv", "id,mail\n1,a@example.com\n");
    expect(await sync()).toMatchObject({
      code: EXIT.failed,
      stdout: expect.stringContaining("--beyond-limits"),
    });
    await expect(sync("--apply")).rejects.toMatchObject({
      exitCode: EXIT.failed,
      message: expect.stringMatching(/deactivate or delete 2 of 3.*Nothing was written/),
    });
    expect((await sync("--apply", "--beyond-limits")).stdout).toContain("2 deactivated");
    write("mapping.yaml", MAPPING.replace("userName", "userNam"));
    await expect(sync()).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringMatching(
        /mapping\.yaml:6:\d+ resources\[0\]\.set\.userNam: The target's User has no attribute/,
      ),
    });
    await expect(sync("--apply", "--drift")).rejects.toMatchObject({ exitCode: EXIT.usage });
    for (const from of ["--source", "--query"])
      await expect(sync("--drift", from, "people.csv")).rejects.toMatchObject({
        exitCode: EXIT.usage,
        message: "--drift reads no source: leave --source and --query out.",
      });
    await expect(sync("--query", "other=x.sql")).rejects.toMatchObject({ exitCode: EXIT.usage });
    await expect(sync("--query", "a.sql", "--query", "b.sql")).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining("two queries of the source 'source'"),
    });
  });

  test("tells of how many resources the references changed, and not how many changed", async () => {
    const { sync, write } = await aSync("people=FOLDER/people.csv");
    write("people.csv", "id,mail\n1,a@example.com\n2,b@example.com\n");
    const teams = write("teams.csv", "id,people\nt,1 2\n");
    write(
      "mapping.yaml",
      MAPPING.replace("type: User", "type: User\n    from: people").replace(
        "\nlimits",
        `
  - { type: Group, from: teams, key: "{id}", match: externalId, set: { externalId: "{id}", displayName: "{id}" }, references: { members: { to: User, keys: "{people | split(' ')}" } } }
limits`,
      ),
    );
    const { stdout } = await sync("--source", `teams=${teams}`, "--apply");
    expect(stdout).toContain("3 created, 0 updated, references of 1 resource changed,");
  });

  test("reads a file whose name tells no form as it is told to, and no record above the greatest", async () => {
    const { sync, write } = await aSync("FOLDER/people");
    write("people", "id,mail\n1,a@example.com\n");
    expect((await sync("--format", "csv")).stdout).toMatch(/User +1/);
    await expect(sync("--format", "xlsx")).rejects.toMatchObject({
      exitCode: EXIT.usage,
      message: expect.stringContaining("--format must be one of csv, jsonl, json, ldif"),
    });
    await expect(sync("--max-record", "many")).rejects.toMatchObject({ exitCode: EXIT.usage });
    write("people", `id,mail\n1,a@example.com\n2,${"b".repeat(5000)}@example.com\n`);
    const long = await sync("--format", "csv", "--max-record", "4096");
    expect(long.code).toBe(EXIT.failed);
    expect(long.stdout).toContain("at most 4096 are read (--max-record)");
  });

  test("tells a state that is another's from one that the disk refuses", async () => {
    const { sync, write } = await aSync("FOLDER/people.csv");
    write("people.csv", "id,mail\n1,a@example.com\n");
    const other = write("other.state", '{"scimSync":1,"target":"https://other.example/scim/v2"}\n');
    const folder = dirname(other);
    for (const [state, exitCode, told] of [
      [other, EXIT.usage, "belongs to https://other.example/scim/v2"],
      [folder, EXIT.failed, `${folder} cannot be read`],
      [join(folder, "gone/state"), EXIT.failed, "cannot be written"],
    ] as const)
      await expect(sync("--apply", "--state", state)).rejects.toMatchObject({
        exitCode,
        message: expect.stringContaining(told),
      });
  });

  test("refuses the state of another tenant behind the same address, and takes one that names none", async () => {
    const { sync, syncAs, write, folder } = await aSync("FOLDER/people.csv");
    write("people.csv", "id,mail\n1,a@example.com\n");
    await sync("--apply");
    for (const flags of [[], ["--apply"], ["--drift"]])
      await expect(syncAs(NORTH, ...flags)).rejects.toMatchObject({
        exitCode: EXIT.usage,
        message: expect.stringMatching(/belongs to the tenant 'default' of .*, not to 'north': give each/),
      });
    // A release that did not tell tenants apart wrote none.
    const state = join(folder, "mapping.yaml.state");
    const text = readFileSync(state, "utf8");
    expect(text).toContain(',"tenant":"default"}');
    writeFileSync(state, text.replace(',"tenant":"default"', ""));
    expect(await sync("--drift")).toMatchObject({ code: EXIT.ok });
  });

  test("reports what failed with its cause and remedy, and does the rest", async () => {
    const { sync, write, server } = await aSync("FOLDER/people.jsonl");
    await server.user({ userName: "taken@example.com" });
    const people = ["taken", "b"].map((name, at) => ({ id: `${at + 1}`, mail: `${name}@example.com` }));
    const lines = [...people.map((each) => JSON.stringify(each)), '{"id":"3","mail":"c@x","mail":"d@x"}'];
    write("people.jsonl", lines.join("\n"));
    const { code, stdout } = await sync("--apply");
    expect(code).toBe(EXIT.failed);
    expect(stdout).toContain('member "mail" occurs twice in one object');
    expect(stdout).toMatch(/1 created.*1 failed\.\n {2}create User 1: .* \(uniqueness\)\. /);
  });

  test("says what to give where an address, a token or a source is wrong, and ignores nothing", async () => {
    const { write, server } = await aSync("");
    const file = write("people.csv", "id,mail\n1,a@example.com\n");
    const query = write("people.sql", "select 1 as id");
    const mapping = write("named.yaml", MAPPING.replace("type: User\n", "type: User\n    from: people\n"));
    const target = `${server.origin}/scim/v2`;
    const people = `people=${file}`;
    for (const [sources, flags, told] of [
      [[file], [], /reads from 'people', which no --source names: write --source people=WHERE/],
      [[people, `teams=${file}`], [], /reads nothing from the source 'teams': leave it out/],
      [[people], ["--query", `people=${query}`], /--query is for databases, and source 'people' is none/],
      [[], [], /--source is missing/],
      [[people], ["--dry-run"], /'scim sync' writes nothing without --apply/],
      [[people], ["--target", "id.example"], /--target is the base address of a service, such as/],
      [[people], ["--target", server.origin], /404.* --target is the base address .*something else answers/],
      [
        [`people=${target}/Users`],
        [],
        /^The source: .*401.*\. The token of the source comes from .*SCIM_SOURCE_TOKEN/,
      ],
      ...[
        "https://old.example",
        "https://u:p@old.example/Users",
        "https://old.example/Users?count=1",
        "https://old.example/a b",
        "https://",
      ].map(
        (address) => [[`people=${address}`], [], /^Source 'people' is no address of what a service/] as const,
      ),
      [
        [people],
        ["--target", target, "wrong"],
        /^The target: .*401.* The token comes from .*SCIM_TOKEN.*--token-file/,
      ],
    ] as const) {
      const [, , wrong] = flags as readonly string[];
      const given = [...sources.flatMap((source) => ["--source", source]), ...flags.slice(0, 2)];
      const call = printed(["sync", "--mapping", mapping, "--target", target, ...given], {
        SCIM_TOKEN: wrong === undefined ? TOKEN : newToken(),
      });
      await expect(call).rejects.toMatchObject({ message: expect.stringMatching(told) });
    }
    const exported = printed(["export", "--url", target], {});
    await expect(exported).rejects.toThrow(/401.*\. The token comes from the variable SCIM_TOKEN/);
    const simulated = await printed(["simulate", "okta", "--target", target], {});
    expect(simulated).toMatchObject({ code: EXIT.failed, stderr: expect.stringContaining("SCIM_TOKEN") });
  });

  test.each([
    ["SCIM_TOKEN", ["export", "--url"]],
    ["SCIM_TOKEN", ["mcp", "--url"]],
    ["SCIM_TOKEN", ["simulate", "okta", "--target"]],
    ["SCIM_ADMIN_TOKEN", ["tenant", "list", "--url"]],
    ["SCIM_TOKEN", ["sync", "--source", "a.csv", "--mapping", "MAPPING", "--target"]],
    ["SCIM_SOURCE_TOKEN", ["sync", "--mapping", "MAPPING", "--target", "http://127.0.0.1:9", "--source"]],
  ])("tells of a token in %s that can be none, or is given twice: %j", async (variable, args) => {
    const { write } = await aSync("");
    const [mapping, file] = [write("m.yaml", MAPPING), write("token", "")];
    const called = [...args, "http://127.0.0.1:9/Users"].map((arg) => (arg === "MAPPING" ? mapping : arg));
    for (const [environment, told] of [
      [{ [variable]: "Bearer s3cret" }, `${variable} holds no token: `],
      [{ [`${variable}_FILE`]: file }, `${variable}_FILE holds no token: `],
      [{ [variable]: TOKEN, [`${variable}_FILE`]: file }, `Give ${variable} or ${variable}_FILE, not both.`],
    ] as const) {
      const failure = { exitCode: EXIT.usage, message: expect.stringContaining(told) };
      await expect(printed(called, environment)).rejects.toMatchObject(failure);
    }
  });

  test("reads another service, with a token of its own", async () => {
    const { sync, write, server } = await aSync("FOLDER/people.csv");
    write("people.csv", "id,mail\n1,a@example.com\n");
    await sync("--apply");
    const token = newToken();
    const other = await startInProcess({ SCIM_DATABASE_URL: "sqlite::memory:", SCIM_TOKEN: token });
    const mapping = write("other.yaml", MAPPING.replace("{mail | lower}", "{userName}"));
    const args = ["--source", `${server.origin}/scim/v2/Users`, "--mapping", mapping, "--apply"];
    const { stdout } = await printed(["sync", "--target", `${other.origin}/scim/v2`, ...args], {
      SCIM_TOKEN: token,
      SCIM_SOURCE_TOKEN: TOKEN,
    });
    expect(stdout).toContain("1 created");
    const { body } = await other.call("GET", '/Users?filter=userName%20eq%20"a@example.com"');
    expect(body["totalResults"]).toBe(1);
  });

  test("reads PostgreSQL by a query, and its changes alone where that takes :since", async () => {
    const address = inject("postgresUrl");
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    onTestFinished(async () => {
      await client.query("drop table if exists sync_people");
      await client.end();
    });
    await client.query("create table sync_people (id int, mail text, changed int)");
    await client.query("insert into sync_people values (1, 'a@example.com', 1), (2, 'b@example.com', 2)");
    const { sync, write } = await aSync(address);
    const query = write(
      "people.sql",
      "select id, mail, changed as since from sync_people where :since::int is null or changed > :since::int",
    );
    expect((await sync("--query", query, "--apply")).stdout).toContain("2 created");
    await client.query("update sync_people set mail = 'c@example.com', changed = 3 where id = 2");
    const { stdout } = await sync("--query", query, "--apply", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ plan: { records: 1 }, report: { done: { update: 1 } } });
    const two = write("two.sql", "select id, mail from sync_people; commit; drop table sync_people");
    await expect(sync("--query", two)).rejects.toMatchObject({
      message: expect.stringContaining("multiple commands"),
    });
    expect((await client.query("select 1 from sync_people")).rowCount, "nothing was dropped").toBe(2);
    await expect(sync()).rejects.toMatchObject({ message: expect.stringContaining("--query") });
  });
});

test("scim sync --drift ends when it is told to", async () => {
  const { sync, write } = await aSync("FOLDER/people.csv");
  write("people.csv", "id,mail\n1,a@example.com\n");
  await sync("--apply");
  const stop = interruption();
  const listening = interruptible();
  const drift = sync("--drift").catch((error: unknown) => error);
  await listening;
  stop();
  expect(await drift).toMatchObject({ exitCode: EXIT.failed, message: expect.stringContaining("given up") });
});

describe("a query of PostgreSQL", () => {
  test.each(["America/New_York", "Asia/Tokyo"])(
    "gives days and times without a zone as they stand, on a machine in %s",
    async (zone) => {
      vi.stubEnv("TZ", zone);
      onTestFinished(() => void vi.unstubAllEnvs());
      expect(new Date(2026, 0, 1).getTimezoneOffset(), "the zone counts").not.toBe(0);
      const source = postgresSource(
        inject("postgresUrl"),
        `select date '2020-01-15' as born, timestamp '2026-03-01 10:00:00.123456' as since, array[date '2020-01-15'] as days,
          timestamptz '2026-03-01 10:00:00+01' as instant, timestamptz '-infinity' as never,
          array[timestamptz 'infinity', '2026-03-01 10:00:00+01', '294000-01-01 00:00:00+00', null] as far where :since::timestamp is null`,
      );
      const reading = await source.open(null);
      for await (const item of reading.items)
        expect(item).toMatchObject({
          fields: {
            born: "2020-01-15",
            since: "2026-03-01T10:00:00.123456",
            days: ["2020-01-15"],
            instant: "2026-03-01T09:00:00.000Z",
            far: ["infinity", "2026-03-01T09:00:00.000Z", "294000-01-01 00:00:00+00", null],
            never: "-infinity",
          },
        });
      expect(reading.token()).toBe("2026-03-01T10:00:00.123456");
    },
  );

  test("that has two columns of one name is a SourceError, also where it has no row", async () => {
    const query = "select 1 as id, 'ada' as mail, 2 as id where false";
    const { items } = await postgresSource(inject("postgresUrl"), query).open(null);
    await expect(items[Symbol.asyncIterator]().next()).rejects.toThrow(/two columns 'id': give each/);
  });

  test("that takes long ends when it is told to, in the database too", async () => {
    const client = new pg.Client({ connectionString: inject("postgresUrl") });
    await client.connect();
    onTestFinished(() => client.end());
    const address = new URL(inject("postgresUrl"));
    address.searchParams.set("application_name", "sleeper of a source");
    const sleepers = async (): Promise<number | null> => {
      const text = "select from pg_stat_activity where application_name = $1 and wait_event = 'PgSleep'";
      return (await client.query(text, ["sleeper of a source"])).rowCount;
    };
    const stop = new AbortController();
    const source = postgresSource(address.href, "select 1 as id, pg_sleep(600)", { signal: stop.signal });
    const { items } = await source.open(null);
    const first = items[Symbol.asyncIterator]().next();
    await eventually(async () => expect(await sleepers()).toBe(1));
    stop.abort();
    await expect(first).rejects.toThrow(SourceError);
    await expect(first).rejects.toThrow(/it was stopped\.$/);
    await eventually(async () => expect(await sleepers()).toBe(0));
    const later = await source.open(null);
    await expect(later.items[Symbol.asyncIterator]().next()).rejects.toThrow(/it was stopped\.$/);
  });

  test("whose session is cut is a SourceError, and does not end the process", async () => {
    const client = new pg.Client({ connectionString: inject("postgresUrl") });
    await client.connect();
    onTestFinished(() => client.end());
    const source = postgresSource(
      inject("postgresUrl"),
      "select pg_backend_pid() as pid, n from generate_series(1, 3000) n",
    );
    const { items } = await source.open(null);
    const cut = async (): Promise<void> => {
      for await (const item of items) {
        if (item.kind !== "record" || item.fields["n"] !== 1000) continue;
        await client.query("select pg_terminate_backend($1, 10000)", [item.fields["pid"]]);
      }
    };
    const cutting = cut();
    await expect(cutting).rejects.toThrow(SourceError);
    await expect(cutting).rejects.toThrow(/^The query of .* failed: .*\w\.$/);
  });
});
