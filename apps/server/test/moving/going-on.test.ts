/**
 * What an import that was stopped goes on with, and when it begins anew.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { USER_URN } from "@scim/schemas";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { importOptions } from "../../src/import/import-options.ts";
import { holdReport } from "../../src/import/report-hold.ts";
import { runImport, type ImportSummary } from "../../src/import/run-import.ts";
import { openSource } from "../../src/import/source/open-source.ts";
import { openOperator } from "../../src/operator/operator.ts";
import { printed, type Printed } from "../command-line/printed.ts";
import { newFolder } from "../command-line/program.ts";
import { eventually } from "../eventually.ts";
import { exported, operatorIn, reportOf, settingsIn, SILENT } from "./imports.ts";

/** An import that was stopped behind the first of its records. */
interface Begun {
  readonly folder: string;
  readonly summary: ImportSummary;
  /** Path of a file in the folder. */
  readonly at: (name: string) => string;
  /** Imports the same file to its end, with more flags and settings. */
  readonly again: (...flags: readonly string[]) => Promise<Printed>;
  readonly againWith: (settings: Readonly<Record<string, string>>) => Promise<Printed>;
}

/** What an import is made of. */
interface Source {
  readonly name: string;
  readonly content: string;
  readonly mapping: object | null;
}

/** Folders with imports that were stopped, by their source, and copies of what was in them then. */
const stopped = new Map<Source, Stopped>();

interface Stopped {
  readonly folder: string;
  readonly copy: string;
  readonly summary: ImportSummary;
}

const root = mkdtempSync(join(tmpdir(), "scim-going-on-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function flagsOf(folder: string, { mapping }: Source): Readonly<Record<string, string>> {
  return mapping === null ? {} : { mapping: join(folder, "m.json") };
}

async function stopOne(source: Source): Promise<Stopped> {
  const [folder, copy] = ["folder", "copy"].map((kind) => join(root, `${kind}-${stopped.size}`)) as [
    string,
    string,
  ];
  mkdirSync(folder);
  const path = join(folder, source.name);
  writeFileSync(path, source.content);
  // The time of a source tells that it is the same, and copies keep no parts of a millisecond.
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  if (source.mapping !== null) writeFileSync(join(folder, "m.json"), JSON.stringify(source.mapping));
  const stop = new AbortController();
  const { signal } = stop;
  const progress = { ...SILENT, show: () => stop.abort() };
  const options = importOptions([path], flagsOf(folder, source));
  const operator = await openOperator(settingsIn(folder), { command: "scim import" });
  const opened = await openSource(options, signal);
  const summary = await runImport({ operator, source: opened, options, progress, signal });
  await operator.close();
  expect(summary).toMatchObject({ stopped: true, resumedAt: 0 });
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  return { folder, copy, summary };
}

/** An import of a source that was stopped: once, and what it left is put back for each that goes on. */
async function begun(source: Source): Promise<Begun> {
  const known = stopped.get(source) ?? (await stopOne(source));
  stopped.set(source, known);
  const { folder, copy, summary } = known;
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true, preserveTimestamps: true });
  const at = (each: string): string => join(folder, each);
  const environment = { SCIM_DATABASE_URL: `sqlite:${at("scim.db")}` };
  const flags = Object.entries(flagsOf(folder, source)).map(([flag, value]) => `--${flag}=${value}`);
  const args = ["import", at(source.name), ...flags];
  return {
    folder,
    summary,
    at,
    again: (...more) => printed([...args, ...more], environment),
    againWith: (settings) => printed(args, { ...environment, ...settings }),
  };
}

/** A schema that no type has. */
const SHIFT = {
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:Schema"],
  id: "urn:example:params:scim:schemas:core:2.0:Shift",
  name: "Shift",
  attributes: [{ name: "begins", type: "dateTime" }],
};

const RECORDS = 400;
/** Every tenth record is broken, up to one. */
const brokenUpTo = (last: number): string =>
  Array.from({ length: RECORDS }, (_, index) =>
    index % 10 === 5 && index < last
      ? "broken\n"
      : `${JSON.stringify({ schemas: [USER_URN], userName: `user-${index}` })}\n`,
  ).join("");

const BROKEN: Source = { name: "users.jsonl", content: brokenUpTo(RECORDS), mapping: null };
const BROKEN_AT_FIRST: Source = { ...BROKEN, content: brokenUpTo(50) };

describe("records that were rejected before an import was stopped", () => {
  const ALL = 40;

  test("are counted and listed with those behind it", async () => {
    const { again, at, summary } = await begun(BROKEN);
    expect(summary.rejected).toBeGreaterThan(0);
    const { code, stdout } = await again();
    expect(code).toBe(EXIT.failed);
    expect(stdout).toBe(
      `400 records: 360 created, 0 replaced, 0 unchanged, 40 rejected.\nWent on behind record ${summary.records} of an earlier run.\nThe rejected records are listed in ${at("users.jsonl.rejected.jsonl")}.\n`,
    );
    expect(reportOf(at("users.jsonl.rejected.jsonl"))).toHaveLength(ALL);
  });

  test("are counted among all that were done where it is stopped before it is behind them", async () => {
    const { folder, at, summary } = await begun(BROKEN);
    const operator = await operatorIn(folder);
    const options = importOptions([at(BROKEN.name)], {});
    const signal = AbortSignal.abort();
    const source = await openSource(options, new AbortController().signal);
    const again = await runImport({ operator, source, options, progress: SILENT, signal });
    expect(again).toEqual({ ...summary, resumedAt: summary.records });
  });

  test.each<[string, string, (begun: Begun) => readonly string[]]>([
    ["the report has another name now", "other.jsonl", ({ at }) => ["--report", at("other.jsonl")]],
    [
      "the report was moved away",
      "users.jsonl.rejected.jsonl",
      ({ at }) => {
        renameSync(at("users.jsonl.rejected.jsonl"), at("seen.jsonl"));
        return [];
      },
    ],
    [
      "a report of another run has its name",
      "other.jsonl",
      ({ at }) => {
        const line = { line: 1, status: 400, scimType: null, detail: "" };
        const lines = Array.from({ length: 90 }, (_, index) => JSON.stringify({ record: index, ...line }));
        writeFileSync(at("other.jsonl"), lines.join("\n"));
        return ["--report", at("other.jsonl")];
      },
    ],
  ])("are counted where %s, and said to be listed elsewhere", async (_, report, prepare) => {
    const before = await begun(BROKEN);
    const { rejected, records } = before.summary;
    const { code, stdout } = await before.again(...prepare(before));
    expect(code).toBe(EXIT.failed);
    expect(stdout).toContain("360 created, 0 replaced, 0 unchanged, 40 rejected.");
    expect(stdout).toContain(
      `The rejected records are listed in ${before.at(report)}, but for ${rejected} of the earlier run: its own report has these.`,
    );
    const listed = reportOf(before.at(report));
    expect(listed).toHaveLength(ALL - rejected);
    expect(Math.min(...listed.map(({ record }) => record))).toBeGreaterThan(records);
  });

  test("are counted where there are no others", async () => {
    const { again, at, summary } = await begun(BROKEN_AT_FIRST);
    expect(summary.rejected).toBe(5);
    const { code, stdout } = await again("--report", at("other.jsonl"));
    expect([code, stdout]).toEqual([
      EXIT.failed,
      `400 records: 395 created, 0 replaced, 0 unchanged, 5 rejected.\nWent on behind record ${summary.records} of an earlier run.\nThe rejected records are all of the earlier run: its own report has these.\n`,
    ]);
    expect(existsSync(at("other.jsonl"))).toBe(false);
  });

  test("are none, where two machines have counted the same records in one run", async () => {
    const { again, at } = await begun(BROKEN);
    const database = new DatabaseSync(at("scim.db"));
    database.exec("UPDATE import_runs SET unchanged = 500");
    database.close();
    const { code, stdout } = await again();
    expect(code).toBe(EXIT.failed);
    const [, rejected] = /(-?\d+) rejected\./.exec(stdout) ?? [];
    expect(Number(rejected)).toBe(reportOf(at("users.jsonl.rejected.jsonl")).length);
    expect(stdout).not.toContain("but for");
  });

  test("are told as JSON with where they are listed", async () => {
    const { again, at } = await begun(BROKEN_AT_FIRST);
    const { stdout } = await again("--report", at("other.jsonl"), "--json");
    expect(JSON.parse(stdout)).toMatchObject({ rejected: 5, unlisted: 5, report: null });
  });
});

const COLUMNS = { login: "userName", shown: "displayName" };
const CSV = `login,shown\n${Array.from({ length: RECORDS }, (_, index) => `u${index},Shown ${index}\n`).join("")}`;
const PEOPLE: Source = { name: "people.csv", content: CSV, mapping: { type: "User", columns: COLUMNS } };
const ANEW =
  "Began anew: a run of this file that was stopped read it in another way (flags, mapping, profile or schemas).\n";

describe("an import that was stopped", () => {
  const aMapping = (columns: object): string => JSON.stringify({ columns, type: "User" }, null, 2);

  test.each<[string, (begun: Begun) => Promise<Printed>]>([
    ["by the same command", ({ again }) => again()],
    [
      "by a mapping of another name that says the same",
      ({ again, at }) => {
        writeFileSync(at("other.json"), aMapping(COLUMNS));
        return again(`--mapping=${at("other.json")}`);
      },
    ],
  ])("goes on %s", async (_, go) => {
    const before = await begun(PEOPLE);
    const { code, stdout } = await go(before);
    expect([code, stdout]).toEqual([
      EXIT.ok,
      `400 records: 400 created, 0 replaced, 0 unchanged, 0 rejected.\nWent on behind record ${before.summary.records} of an earlier run.\n`,
    ]);
  });

  test("begins anew where its mapping has changed, and reads all by the new one", async () => {
    const { again, at, folder, summary } = await begun(PEOPLE);
    writeFileSync(at("m.json"), aMapping({ ...COLUMNS, shown: "title" }));
    const { code, stdout } = await again();
    const { records } = summary;
    expect([code, stdout]).toEqual([
      EXIT.ok,
      `400 records: ${RECORDS - records} created, ${records} replaced, 0 unchanged, 0 rejected.\n${ANEW}`,
    ]);
    expect(await exported(await operatorIn(folder), "User")).not.toContain("displayName");
  });

  test.each<[string, (begun: Begun) => Promise<Printed>]>([
    ["the profile has changed", ({ againWith }) => againWith({ SCIM_PROFILE: "strict" })],
    [
      "a switch of the profile has changed",
      ({ againWith }) => againWith({ SCIM_SWITCHES: "require-version" }),
    ],
    [
      "the schemas have changed",
      ({ againWith, at }) => {
        mkdirSync(at("schemas"));
        writeFileSync(at("schemas/Shift.json"), JSON.stringify(SHIFT));
        return againWith({ SCIM_SCHEMAS: at("schemas") });
      },
    ],
    ["its flags have changed", ({ again }) => again("--mode=create")],
  ])("begins anew where %s: what is there stays unchanged", async (_, go) => {
    const before = await begun(PEOPLE);
    const { records } = before.summary;
    const { code, stdout } = await go(before);
    expect([code, stdout]).toEqual([
      EXIT.ok,
      `400 records: ${RECORDS - records} created, 0 replaced, ${records} unchanged, 0 rejected.\n${ANEW}`,
    ]);
  });

  test("knows the records that were done before it was stopped: one of the same name is rejected", async () => {
    const twice = `${JSON.stringify({ schemas: [USER_URN], userName: "user-0" })}\n`;
    const { again } = await begun({ ...BROKEN, content: `${brokenUpTo(0)}${twice}` });
    expect((await again()).stdout).toContain(
      "401 records: 400 created, 0 replaced, 0 unchanged, 1 rejected.",
    );
  });

  test("says nothing of it where it is told to begin anew, or the file is another", async () => {
    const { again, at } = await begun(PEOPLE);
    writeFileSync(at("m.json"), aMapping({ ...COLUMNS, shown: "title" }));
    expect((await again("--restart")).stdout).not.toContain("anew");
    writeFileSync(at("people.csv"), `${CSV}last,Last\n`);
    expect((await again()).stdout).not.toContain("anew");
  });
});

test("an import of a file beside another of it is refused, and changes nothing; beside one that was killed it goes on", async () => {
  const { again, at } = await begun(BROKEN);
  const report = at("users.jsonl.rejected.jsonl");
  const mark = (pid: number): string => `${report}.${pid}.running`;
  const before = reportOf(report);
  writeFileSync(mark(process.ppid), "");
  await expect(again()).rejects.toThrow(`Process ${process.ppid} imports this source`);
  expect([reportOf(report), existsSync(mark(process.pid))]).toEqual([before, false]);
  rmSync(mark(process.ppid));
  // Above what Linux gives; and one that had the number of this process.
  const ended = [2 ** 22 + 1, process.pid];
  for (const pid of ended) writeFileSync(mark(pid), "");
  expect((await again()).stdout).toContain("360 created, 0 replaced, 0 unchanged, 40 rejected");
  expect(ended.filter((pid) => existsSync(mark(pid)))).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "an import that was killed, and that nobody has asked for since, holds no other",
  async () => {
    // What takes the place of the shell asks for none of its children.
    const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [told]: readonly unknown[] = await once(parent.stdout, "data");
    const pid = Number(String(told));
    await eventually(async () => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z "));
    const report = join(newFolder(), "report.jsonl");
    writeFileSync(`${report}.${pid}.running`, "");
    holdReport(report)();
    expect(existsSync(`${report}.${pid}.running`)).toBe(false);
  },
);
