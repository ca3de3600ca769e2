import { readFileSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { USER_URN } from "@scim/schemas";
import { expect, test } from "vitest";
import { runHere } from "../command-line/printed.ts";
import { newFolder, run, start } from "../command-line/program.ts";
import { examineDerived } from "../processes/derived-rows.ts";
import { exported, operatorIn } from "./imports.ts";

const RECORDS = 9000;

/** Names in no order, so that records are written in another order than that of the source. */
function nameOf(number: number): string {
  return `user-${String((number * 7_368_787) % 10_000_019).padStart(8, "0")}`;
}

/** Every 50th record is broken, and every 70th has the name of the one before. */
function source(): string {
  let text = "";
  for (let number = 1; number <= RECORDS; number += 1) {
    const named = number % 70 === 0 ? number - 1 : number;
    const user = {
      schemas: [USER_URN],
      id: `u${number}`,
      userName: nameOf(named),
      emails: [{ value: `${number}@x.example` }],
      meta: { resourceType: "User", created: "2020-01-02T03:04:05.000Z" },
    };
    text += number % 50 === 0 ? "broken\n" : `${JSON.stringify(user)}\n`;
  }
  return text;
}

/** How many resources are there; 0 before there are tables. */
function countOf(path: string): number {
  try {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    try {
      return Number(database.prepare("SELECT count(*) AS n FROM resources").get()?.["n"]);
    } finally {
      database.close();
    }
  } catch {
    return 0;
  }
}

const ARGUMENTS = ["import", "users.jsonl", "--keep-ids", "--database-url", "sqlite:./scim.db"];

/** Imports, and kills the process once so many resources are there. */
async function killedAt(folder: string, resources: number): Promise<void> {
  const program = start(ARGUMENTS, { folder });
  while (program.child.exitCode === null && countOf(join(folder, "scim.db")) < resources) await delay(5);
  program.child.kill("SIGKILL");
  await program.ended;
}

const TRIES = 10;

/** A folder with an import that was killed twice, and has not come to its end. */
async function killedFolder(whole: number): Promise<string> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const folder = newFolder();
    writeFileSync(join(folder, "users.jsonl"), source());
    for (const share of [0.1, 0.5]) await killedAt(folder, (share + Math.random() * 0.3) * RECORDS);
    // On a busy machine it may be done before anybody looks.
    if (countOf(join(folder, "scim.db")) < whole) return folder;
  }
  throw new Error(`The import came to its end ${TRIES} times before it was killed.`);
}

test("an import that is killed at random moments goes on, and ends where an undisturbed one ends", async () => {
  const calm = newFolder();
  writeFileSync(join(calm, "users.jsonl"), source());
  const whole = await runHere(ARGUMENTS, { folder: calm });
  const killed = await killedFolder(countOf(join(calm, "scim.db")));
  // The path, size and time of the file tell that it is the same source.
  const rest = await runHere(ARGUMENTS, { folder: killed });

  expect(rest.stdout).toMatch(/Went on behind record \d/);
  expect(rest.stdout.split("\n")[0]).toBe(whole.stdout.split("\n")[0]);
  expect([whole.code, rest.code]).toEqual([1, 1]);
  const report = (folder: string): string => readFileSync(join(folder, "users.jsonl.rejected.jsonl"), "utf8");
  expect(report(killed)).toBe(report(calm));
  expect(await exported(await operatorIn(killed))).toBe(await exported(await operatorIn(calm)));
  const derived = await examineDerived({ SCIM_DATABASE_URL: `sqlite:${join(killed, "scim.db")}` });
  expect(derived).toEqual({ compared: countOf(join(killed, "scim.db")), first: [] });
});

/** A user whom the run in a folder has written beyond its position; null where it has written none, or is done. */
function writtenBeyond(folder: string): string | null {
  const database = new DatabaseSync(join(folder, "scim.db"), { readOnly: true });
  try {
    const found = database
      .prepare(
        `SELECT r.id FROM import_runs i JOIN resources r ON CAST(substr(r.id, 2) AS INTEGER) > i.position LIMIT 1`,
      )
      .get();
    return found === undefined ? null : String(found["id"]);
  } finally {
    database.close();
  }
}

/** A folder with an import that was killed, and such a user. */
async function killedBeyond(): Promise<{ readonly folder: string; readonly id: string }> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const folder = newFolder();
    writeFileSync(join(folder, "users.jsonl"), source());
    await killedAt(folder, RECORDS / 2);
    const id = writtenBeyond(folder);
    if (id !== null) return { folder, id };
  }
  throw new Error(`The import had written nothing beyond its position ${TRIES} times.`);
}

test("what an import wrote before it was killed, and others changed, is replaced, and counts once", async () => {
  const { folder, id } = await killedBeyond();
  const found = source()
    .split("\n")
    .find((line) => line.includes(`"id":"${id}"`));
  writeFileSync(join(folder, "one.jsonl"), found?.replace("{", '{"title":"Dr",') ?? "");
  const one = await runHere(["import", "one.jsonl", ...ARGUMENTS.slice(2)], { folder });
  expect(one.stdout).toContain("0 created, 1 replaced");
  const { stdout } = await runHere(ARGUMENTS, { folder });
  expect(stdout).toContain("9,000 records: 8,716 created, 1 replaced, 0 unchanged, 283 rejected.");
});

test("an import whose log finds no room in the database at its end says what it has written, and nothing is lost", async () => {
  const folder = newFolder();
  const lines = source()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  writeFileSync(join(folder, "users.jsonl"), lines.slice(0, 600).join("\n"));
  await runHere(ARGUMENTS, { folder });
  const before = countOf(join(folder, "scim.db"));
  writeFileSync(join(folder, "users.jsonl"), lines.slice(601, 631).join("\n"));
  const fileBlocks = Math.floor(statSync(join(folder, "scim.db")).size / 512);
  const { stdout, stderr } = await run(ARGUMENTS, { folder, fileBlocks });
  expect(stderr).toBe("");
  const written = Number(/(\d+) created/.exec(stdout)?.[1]);
  expect(written).toBeGreaterThan(25);
  expect(countOf(join(folder, "scim.db"))).toBe(before + written);
});

test("an import that finds no room for its report stops behind what it has told, and loses no line when it goes on", async () => {
  const [calm, full] = [newFolder(), newFolder()];
  for (const folder of [calm, full]) writeFileSync(join(folder, "users.jsonl"), "broken\n".repeat(9000));
  await runHere(ARGUMENTS, { folder: calm });
  for (const room of [1400, 1000]) {
    const { code, stderr } = await run(ARGUMENTS, { folder: full, fileBlocks: room });
    expect(stderr).toMatch(
      /^(?:A new database was made: .*\n)?scim: The report .* cannot be written: E.* --report, .*again once it can\.\n$/,
    );
    expect(code).toBe(1);
  }
  // No room at all: the file that processes share beside a database is the first to find none.
  const { stderr: none } = await run(ARGUMENTS, { folder: full, fileBlocks: 1 });
  expect(none).toMatch(
    /^scim: The database .* cannot be used\. The database or its disk is full: .* make room\.\n$/,
  );
  const rest = await runHere(ARGUMENTS, { folder: full });
  expect(rest.stdout).toMatch(/9,000 rejected\.\nWent on behind record \d/);
  const [whole, told] = [calm, full].map((folder) =>
    readFileSync(join(folder, "users.jsonl.rejected.jsonl"), "utf8"),
  );
  expect(told).toBe(whole);
});

/** A disk that does not confirm what threads ask it to keep. */
const FAILING_DISK = `--import=data:text/javascript,${encodeURIComponent(`
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  import { isMainThread } from "node:worker_threads";
  if (!isMainThread) {
    fs.fdatasync = (descriptor, done) => done(new Error("EIO: i/o error, fdatasync"));
    syncBuiltinESMExports();
  }
`)}`;

test("an import does not say that it is done where the disk did not confirm it, and goes on when told to", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "users.jsonl"), source());
  const environment = { NODE_OPTIONS: FAILING_DISK };
  const failed = await run(ARGUMENTS, { folder, environment });
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("The disk did not confirm") });
  expect(failed.stdout).not.toContain("created");
  const rest = await runHere(ARGUMENTS, { folder });
  expect(rest.stdout).toContain("8,717 created");
  expect(countOf(join(folder, "scim.db"))).toBe(8717);
});
