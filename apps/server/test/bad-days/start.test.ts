import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readMigrations } from "@scim/store/sqlite";
import { describe, expect, test } from "vitest";
import { runHere } from "../command-line/printed.ts";
import { newFolder, run } from "../command-line/program.ts";
import { ENGINES } from "../over-http/engines.ts";
import { startInProcess } from "../over-http/in-process.ts";

const NAMES = readMigrations().map(({ name }) => name);

/** A refusal that a user can act on: one line that says what is wrong, and no stack. */
function refusal(message: RegExp): object {
  const line = new RegExp(`^scim: [^\\n]*(?:${message.source})[^\\n]*\\n$`);
  return { code: 1, stdout: "", stderr: expect.stringMatching(line) };
}

describe.each(ENGINES)("$name", ({ make, makeBare }) => {
  test("two processes migrate at once: each migration is applied once", async () => {
    const { environment } = await makeBare();
    const where = { folder: newFolder(), environment };
    const ended = await Promise.all([run(["migrate"], where), run(["migrate"], where)]);
    // A file is made by one of them; the other may have found none either.
    const told: unknown = expect.stringMatching(/^(?:A new database was made: [^\n]*\n)?$/);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, told],
      [0, told],
    ]);
    const lines = ended.flatMap(({ stdout }) => stdout.trim().split("\n"));
    expect(lines.filter((line) => line.startsWith("applied")).toSorted()).toEqual(
      NAMES.map((name) => `applied ${name}`),
    );
    expect(lines.filter((line) => line.startsWith("There is nothing to do"))).toHaveLength(1);
  });

  test("a schema that a newer program made, and allows no older one to write, is refused", async () => {
    const database = await make();
    const { stop } = await startInProcess(database.environment);
    await stop();
    await database.query(
      `INSERT INTO migrations (number, name, checksum, oldest_writer, applied)
       VALUES (9999, '9999-from-the-future', 'x', 9999, '2030-01-01T00:00:00.000Z')`,
    );
    const where = { folder: newFolder(), environment: database.environment };
    expect(await runHere(["serve"], where)).toEqual(
      refusal(/9999-from-the-future, which this program must not write to/),
    );
    expect(await runHere(["migrate"], where)).toEqual(
      refusal(/Run a newer program, or restore a backup\.(?!\.)/),
    );
  });
});

describe("PostgreSQL", () => {
  test("that nobody answers for is a clear refusal without the password", async () => {
    const environment = {
      SCIM_DATABASE_URL: "postgres://scim:hunter2@127.0.0.1:1/scim",
      SCIM_SECRET_KEYS: `1:${Buffer.alloc(32).toString("base64url")}`,
    };
    const ended = await runHere(["serve"], { folder: newFolder(), environment });
    expect(ended).toEqual(refusal(/127\.0\.0\.1:1\/scim cannot be used: .*ECONNREFUSED/));
    expect(ended.stderr).not.toContain("hunter2");
  });
});

describe("an SQLite file that is damaged is refused with what to do", () => {
  test.each([
    ["text", (path: string) => writeFileSync(path, "This is no database.".repeat(500))],
    ["cut in the middle", (path: string) => truncateSync(path, 4096 * 3 + 100)],
    ["with other bytes in its first page", (path: string) => overwrite(path, 100, 2000)],
    ["with other bytes in every page but the first", (path: string) => overwrite(path, 4096, Infinity)],
  ])("%s", async (_kind, damage) => {
    const folder = newFolder();
    const path = join(folder, "scim.db");
    const environment = { SCIM_DATABASE_URL: `sqlite:${path}` };
    await (await startInProcess(environment)).stop();
    damage(path);
    const ended = await runHere(["serve", "--port", "0"], { folder, environment });
    expect(ended).toEqual(refusal(/(?:damaged: restore a backup|disk of the database reports)/));
  });
});

function overwrite(path: string, from: number, length: number): void {
  const size = Math.min(length, readFileSync(path).length - from);
  const file = openSync(path, "r+");
  writeSync(file, Buffer.alloc(size, 0xa5), 0, size, from);
  closeSync(file);
}
