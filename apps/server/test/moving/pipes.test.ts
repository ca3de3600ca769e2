import { execFileSync } from "node:child_process";
import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { USER_URN } from "@scim/schemas";
import { expect, onTestFinished, test, vi } from "vitest";
import { EXIT } from "../../src/failure.ts";
import { importOptions } from "../../src/import/import-options.ts";
import { runImport } from "../../src/import/run-import.ts";
import { openSource } from "../../src/import/source/open-source.ts";
import { printed, type Printed } from "../command-line/printed.ts";
import { newFolder, start } from "../command-line/program.ts";
import { eventually } from "../eventually.ts";
import { exported, operatorIn, SILENT } from "./imports.ts";

const usersOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `${JSON.stringify({ schemas: [USER_URN], userName: `u${at}` })}\n`,
  ).join("");

function pipeIn(folder: string): string {
  const path = join(folder, "pipe");
  execFileSync("mkfifo", [path]);
  return path;
}

test("a pipe is imported as it comes, once, and rejected records are told of on standard error", async () => {
  const folder = newFolder();
  const path = pipeIn(folder);
  const options = importOptions([path], {});
  expect(options).toMatchObject({ isFile: false, report: null });
  const { signal } = new AbortController();
  const source = await openSource(options, signal);
  const operator = await operatorIn(folder);
  const importing = runImport({ operator, source, options, progress: SILENT, signal });
  await writeFile(path, usersOf(2000));
  expect(await importing).toMatchObject({ created: 2000, rejected: 0, stopped: false });
});

/** Imports what comes through standard input in pieces. */
async function importedFrom(
  folder: string,
  pieces: readonly string[],
  ...flags: readonly string[]
): Promise<Printed> {
  const input = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const reading = vi.spyOn(process, "stdin", "get").mockReturnValue(input as typeof process.stdin);
  onTestFinished(() => reading.mockRestore());
  return printed(["import", "-", ...flags], { SCIM_DATABASE_URL: `sqlite:${join(folder, "scim.db")}` });
}

test("what a rejected record holds steers no terminal", async () => {
  const record = { meta: { resourceType: "U\u009B31m\u202E" } };
  const { stderr } = await importedFrom(newFolder(), [`${JSON.stringify(record)}\n`]);
  const [line = ""] = stderr.split("\n");
  expect(line).toContain(String.raw`U\u009b31m\u202e`);
  expect(JSON.parse(line)).toMatchObject({ detail: expect.stringContaining(record.meta.resourceType) });
});

test.each<[string, readonly string[]]>([
  ["in the middle of the header", ["user", "Name", ";displayName\n", "dan;D,a,n\n"]],
  ["behind a comma of the header", ['emails[type eq "a,b"].val', "ue;userName;displayName\n;dan;D,a,n\n"]],
  ["behind empty lines", ["\r\n", "\n", "userName;displayName", "\ndan;D,a,n"]],
  ["behind all of it, which has no end", ["userName;displayName\ndan;D,a,n"]],
  ["behind each character", "\nuserName;displayName\ndan;D,a,n\n".split("")],
])(
  "CSV that comes in pieces, the first of them ending %s, is divided as its header is",
  async (_, pieces) => {
    const folder = newFolder();
    const { code, stdout } = await importedFrom(folder, pieces, "--format=csv", "--type=User");
    expect([code, stdout]).toEqual([EXIT.ok, "1 record: 1 created, 0 replaced, 0 unchanged, 0 rejected.\n"]);
    expect(await exported(await operatorIn(folder), "User")).toContain('"displayName":"D,a,n"');
  },
);

test.each([
  [20, ""],
  [21, "And 1 more: --report FILE lists all of them.\n"],
  [1025, "And 1,005 more: --report FILE lists all of them.\n"],
])(
  "of %d rejected records that come through a pipe the first are shown, and then said to be",
  async (count, rest) => {
    const folder = newFolder();
    await operatorIn(folder);
    const { code, stderr } = await importedFrom(folder, ["broken\n".repeat(count)]);
    expect(code).toBe(EXIT.failed);
    const lines = stderr.split("\n").slice(0, 20);
    expect(lines.map((line) => JSON.parse(line).record)).toEqual(lines.map((_, index) => index + 1));
    expect(stderr.slice(lines.join("\n").length + 1)).toBe(rest);
  },
);

test("a pipe that nobody writes to is no reason to go on after a signal", async () => {
  const folder = newFolder();
  const program = start(["import", pipeIn(folder), "--format", "csv", "--type", "User"], { folder });
  onTestFinished(() => void program.child.kill("SIGKILL"));
  // By then it listens to signals: the database is made behind that.
  await eventually(() => expect(existsSync(join(folder, "data/scim.db"))).toBe(true));
  program.child.kill("SIGTERM");
  expect(await program.ended).toBe(EXIT.failed);
  expect(program.stdout()).toContain("Stopped before the end. Run it again");
});

test("a file that is cut off while it is read is told of, and what it holds then is imported by the same command", async () => {
  const folder = newFolder();
  const path = join(folder, "users.jsonl");
  // Long lines: few are read ahead of what is imported.
  const lines = Array.from({ length: 8000 }, (_, at) =>
    JSON.stringify({ schemas: [USER_URN], userName: `u${at}`, displayName: "x".repeat(300) }),
  );
  writeFileSync(path, lines.join("\n"));
  const operator = await operatorIn(folder);
  const options = importOptions([path], {});
  const { signal } = new AbortController();
  let isCut = false;
  const show = (): void => {
    if (!isCut) truncateSync(path, lines.slice(0, 4000).join("\n").length);
    isCut = true;
  };
  const source = await openSource(options, signal);
  const changed = runImport({ operator, source, options, progress: { ...SILENT, show }, signal });
  await expect(changed).rejects.toMatchObject({
    name: "CommandFailure",
    exitCode: EXIT.failed,
    message: expect.stringMatching(/changed while it was read/),
  });
  const rest = await openSource(options, signal);
  const again = await runImport({ operator, source: rest, options, progress: SILENT, signal });
  const { created, unchanged, rejected } = again;
  expect({ there: created + unchanged, rejected }).toEqual({ there: 4000, rejected: 0 });
});
