import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { programFolder, run } from "../blocks/compile.ts";
import { NOT_RUN } from "./given.ts";
import { fileOf, PROGRAMS, writeExamples } from "./written.ts";

const folder = programFolder();

beforeAll(() => writeExamples(folder));

test("every example runs that finds what it needs, and comes to what it tells", async () => {
  const running = [...PROGRAMS.entries()].filter(([, { name, runs }]) => runs && NOT_RUN[name] === undefined);
  expect(running.length).toBeGreaterThan(70);
  const lines = running.map(
    ([at, { name }]) => `
const { example: example${at} } = await import("./${fileOf(at)}");
await Promise.try(example${at}).catch((error) => failed.push(${JSON.stringify(name)}, error));`,
  );
  const all = join(folder, "all.js");
  writeFileSync(
    all,
    `const failed = [];\n${lines.join("\n")}\nconsole.info(failed);\nprocess.exit(failed.length === 0 ? 0 : 1);\n`,
  );
  const told = await run(process.execPath, [all], { cwd: folder }).catch((error: unknown) => error);
  expect(told).toMatchObject({ stdout: expect.stringMatching(/\[\]\n$/) });
});

test("what is not run has a reason, and is there", () => {
  const names = new Set(PROGRAMS.filter(({ runs }) => runs).map(({ name }) => name));
  expect(Object.keys(NOT_RUN).filter((name) => !names.has(name))).toEqual([]);
});
