import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { StateError } from "@scim/sync";
import { expect, test } from "vitest";
import { TOKEN } from "../../client/test/support/service.ts";
import { aFile, aFolder, aTarget, plan, run } from "./support/target.ts";

const PROGRAM = fileURLToPath(new URL("support/one-run.ts", import.meta.url));

const MAPPING = `
resources:
  - { type: User, from: people, key: "{id}", match: externalId, leavers: delete,
      set: { externalId: "{id}", userName: "user-{id}", title: "{title}" } }
  - { type: Group, from: teams, key: "{id}", match: externalId,
      set: { externalId: "{id}", displayName: "{id}" },
      references: { members: { to: User, keys: "{people | split(' ')}" } } }
`;

/** A difference of long texts is nothing to read. */
const isSame = (found: ReadonlySet<string | undefined>, wanted: readonly string[]): boolean =>
  found.size === wanted.length && wanted.every((text) => found.has(text));

test("long texts of every script come back from where they are kept aside", async () => {
  const target = await aTarget();
  // Of characters of one to four bytes.
  const long = "aé€😀".repeat(8000);
  const people = (count: number, title: string) =>
    aFile(
      "p.jsonl",
      Array.from({ length: count }, (_, at) =>
        JSON.stringify({ id: `person-number-${at}`, title: `${at} ${title}` }),
      ).join("\n"),
    );
  const teams = aFile("teams.csv", "id,people\nall,person-number-0 person-number-1 person-number-14");
  const options = { mapping: MAPPING, state: join(aFolder(), "state"), beyondLimits: true };
  expect(
    (await run(target, { ...options, sources: { people: people(15, long), teams } })).report,
  ).toMatchObject({
    done: { create: 16, references: 1 },
    failures: [],
  });
  const titles = async () => {
    const listed = await target.client.users.list().toArray();
    return new Set(listed.map(({ title }) => title));
  };
  const all = Array.from({ length: 15 }, (_, at) => `${at} ${long}`);
  expect(isSame(await titles(), all)).toBe(true);
  expect(await plan(target, { ...options, sources: { people: people(15, long), teams } })).toMatchObject({
    steps: { length: 0 },
  });
  const changed = { ...options, sources: { people: people(14, `${long}!`), teams } };
  const { report, plan: planned } = await run(target, changed);
  expect(report).toMatchObject({ done: { update: 14, delete: 1 }, failures: [] });
  const longer = all.slice(0, 14).map((title) => `${title}!`);
  expect(isSame(await titles(), longer)).toBe(true);
  const changes = [...planned.steps].flatMap((step) => (step.action === "update" ? step.changes : []));
  const told = changes.map(({ from, to }) => all.includes(String(from)) && to === `${String(from)}!`);
  expect(told).toEqual(Array.from({ length: 14 }, () => true));
});

test("what is too much for memory goes to a file that nobody sees, and a disk that refuses it is an error", async () => {
  const target = await aTarget();
  const folder = aFolder();
  const [mapping, people, state] = ["mapping.yaml", "people.jsonl", "state"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  writeFileSync(
    mapping,
    `resources: [{ type: User, key: "{id}", match: externalId, set: { externalId: "{id}", userName: "u", title: "{title | slice(0, 9)}" }, initial: { nickName: "{title}" } }]`,
  );
  // More than is held in memory.
  const title = "x".repeat(1_000_000);
  writeFileSync(people, Array.from({ length: 14 }, (_, id) => JSON.stringify({ id, title })).join("\n"));
  const command = [process.execPath, "--conditions=@scim/source", PROGRAM, target.baseUrl, TOKEN];
  // No file may be longer than 512 blocks of 512 or 1024 bytes.
  const child = spawn("sh", ["-c", 'ulimit -f 512 && exec "$0" "$@"', ...command, mapping, people, state], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TMPDIR: folder },
  });
  const [stderr, [status]] = await Promise.all([textOf(child.stderr), once(child, "exit")]);
  expect(stderr).toMatch(/TemporaryFileError: .* cannot be kept in a temporary file: .* TMPDIR/);
  expect(status).toBe(1);
  expect(readdirSync(folder).toSorted()).toEqual(["mapping.yaml", "people.jsonl"]);
  expect(target.written()).toEqual([]);
});

test("a state that cannot be read or written is an error that names it", async () => {
  const target = await aTarget();
  const folder = aFolder();
  const sources = { people: aFile("p.csv", "id,title\n1,Ms"), teams: aFile("teams.csv", "id,people") };
  const failure = async (state: string): Promise<unknown> =>
    run(target, { mapping: MAPPING, sources, state }).catch((thrown: unknown) => thrown);
  const state = join(folder, "state");
  mkdirSync(`${state}.new`);
  const held = join(folder, "held");
  mkdirSync(`${held}.lock`);
  const other = join(folder, "other");
  writeFileSync(other, '{"scimSync":1,"target":"https://other.example/scim/v2"}\n');
  for (const [path, code, told] of [
    [folder, "unreadable", `${folder} cannot be read`],
    [state, "unwritable", `${state}.new cannot be written`],
    [join(folder, "gone/state"), "unwritable", "cannot be written"],
    [held, "unwritable", `${held}.lock cannot be written`],
    ["/dev/zero", "otherState", "/dev/zero is no file"],
    [other, "otherState", "belongs to https://other.example/scim/v2"],
  ] as const) {
    const error = await failure(path);
    expect(error).toBeInstanceOf(StateError);
    expect(error).toMatchObject({ code, message: expect.stringContaining(told) });
  }
  expect(await target.client.users.list().toArray()).toEqual([]);
});

test("as JSON, the steps of a plan say what becomes of which resource", async () => {
  const target = await aTarget();
  const options = { mapping: MAPPING, state: join(aFolder(), "state"), beyondLimits: true };
  const people = (...lines: readonly string[]) => aFile("p.csv", ["id,title", ...lines].join("\n"));
  const teams = (list: string) => aFile("t.csv", `id,people\nall,${list}`);
  const first = { ...options, sources: { people: people("1,Ms", "2,Mr"), teams: teams("1 2") } };
  const second = { ...options, sources: { people: people("1,Dr"), teams: teams("1") } };
  const steps = async (job: typeof first): Promise<unknown> =>
    JSON.parse(JSON.stringify((await plan(target, job)).steps));
  const schemas = ["urn:ietf:params:scim:schemas:core:2.0:User"];
  expect(await steps(first)).toMatchObject([
    { action: "create", type: "User", key: "1", place: "people line 2", resource: { title: "Ms" } },
    { action: "create", type: "User", key: "2", place: "people line 3", resource: { title: "Mr" } },
    { action: "create", type: "Group", key: "all", resource: { displayName: "all" } },
    {
      action: "references",
      type: "Group",
      key: "all",
      id: null,
      path: "members",
      add: ["1", "2"],
      remove: [],
    },
  ]);
  await run(target, first);
  const [one, two] = await target.client.users.list({ sortBy: "userName" }).toArray();
  const team = await target.client.groups.list().first();
  expect([one?.schemas, two?.schemas]).toEqual([schemas, schemas]);
  const changes = [{ path: "title", from: "Ms", to: "Dr" }];
  expect(await steps(second)).toEqual([
    { action: "update", type: "User", key: "1", id: one?.id, place: "people line 2", changes, isBack: false },
    {
      action: "references",
      type: "Group",
      key: "all",
      id: team?.id,
      path: "members",
      add: [],
      remove: [two?.id],
    },
    { action: "delete", type: "User", key: "2", id: two?.id },
  ]);
});
