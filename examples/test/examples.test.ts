import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const OLDEST_NODE = join(FOLDER, "../runtimes/node-22/node_modules/node/bin/node");
const PATIENCE_MS = 60_000;
const PROGRAMS = [
  "agent-session",
  "browser-page",
  "departments",
  "devices",
  "embedded",
  "migrate-from-scimmy",
  "own-users-table",
  "provisioning",
  "seats-refused",
  "seats-same-transaction",
  "simulate",
  "sync-job",
  "tenants-and-events",
];

const empty = mkdtempSync(join(tmpdir(), "scim-no-documents-"));
afterAll(() => rmSync(empty, { recursive: true, force: true }));

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs a program as its README says; without the export condition, so that it uses what is built. */
function run(program: string, ...args: readonly string[]): Promise<Run> {
  return runBy(process.execPath, program, ...args);
}

function runBy(node: string, ...args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(node, args, { cwd: FOLDER }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (child.exitCode ?? 1), output: stdout + stderr });
    });
  });
}

describe("an example", () => {
  test.each(PROGRAMS.map((name) => `${name}/main.ts`))(
    "%s runs to its end",
    async (program) => {
      const { code, output } = await run(program);
      expect(output).not.toMatch(/Error/);
      expect(code).toBe(0);
    },
    PATIENCE_MS,
  );

  test(
    "own-users-table/main.ts, which reads a database by itself, does so on the oldest Node.js too",
    async () => {
      const { code, output } = await runBy(OLDEST_NODE, "own-users-table/main.ts");
      expect(output).toContain("0 broken");
      expect(code).toBe(0);
    },
    PATIENCE_MS,
  );

  test.each(["departments/main.ts", "devices/main.ts"])(
    "%s fails without its documents",
    async (program) => {
      const { code, output } = await run(program, empty);
      expect(code).toBe(1);
      expect(output).toContain("AssertionError");
    },
    PATIENCE_MS,
  );

  test("README.md names each program with the command that runs it", () => {
    const readme = readFileSync(join(FOLDER, "README.md"), "utf8");
    for (const name of PROGRAMS) expect(readme).toContain(`node ${name}/main.ts`);
  });
});
