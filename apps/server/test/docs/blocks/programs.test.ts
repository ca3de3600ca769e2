import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startOwnServer } from "../../over-http/in-process.ts";
import { programFolder, run } from "./compile.ts";
import { ROOT } from "./collect.ts";
import { FRAGMENTS } from "./fragments.ts";
import { fileOf, PROGRAMS, writePrograms } from "./programs.ts";

const whole = PROGRAMS.filter(({ marker }) => marker === "");
const folder = programFolder();

const OLDEST_NODE = join(ROOT, "runtimes/node-22/node_modules/node/bin/node");

/** Reads programs, runs none, and prints what is wrong with them. */
const READER = `
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { SourceTextModule } from "node:vm";
const faults = process.argv.slice(2).flatMap((file) => {
  const text = readFileSync(file, "utf8");
  try {
    new SourceTextModule(file.endsWith(".ts") ? stripTypeScriptTypes(text) : text);
    return [];
  } catch (error) {
    return [file + ": " + error.message];
  }
});
console.log(JSON.stringify(faults));
`;

beforeAll(() => writePrograms(folder));

test("a block that is not run is marked, and says why", () => {
  const marked = PROGRAMS.filter(({ marker }) => marker === "no-run").map(({ name }) => name);
  expect(marked.toSorted()).toEqual(Object.keys(FRAGMENTS).toSorted());
  expect(PROGRAMS.filter(({ marker }) => marker !== "" && marker !== "no-run")).toEqual([]);
  expect(Object.values(FRAGMENTS).filter(({ why }) => why === "")).toEqual([]);
});

test.each(readdirSync(join(ROOT, "packages")))(
  "whoever opens the README of %s sees a whole program in 25 lines",
  (name) => {
    const page = `packages/${name}/README.md`;
    const lines = readFileSync(join(ROOT, page), "utf8").split("\n");
    const begin = lines.indexOf("```ts");
    const end = lines.indexOf("```", begin);
    expect([begin > 0, end > begin && end <= 25]).toEqual([true, true]);
    expect(whole.map((block) => block.name)).toContain(`${page} ts 1`);
  },
);

test("every program, and every example, is written as the oldest Node.js that is supported reads it", async () => {
  const examples = readdirSync(join(ROOT, "examples"), { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?!node_modules|test).*\.ts$/.test(file))
    .map((file) => join(ROOT, "examples", file));
  expect(examples.length).toBeGreaterThan(20);
  const reader = join(folder, "reader.js");
  writeFileSync(reader, READER);
  const files = [...PROGRAMS.map((block) => join(folder, fileOf(block))), ...examples];
  const flags = ["--experimental-vm-modules", "--no-warnings"];
  const { stdout } = await run(OLDEST_NODE, [...flags, reader, ...files]);
  expect(JSON.parse(stdout)).toEqual([]);
});

test("every whole program runs, against a server of its own where it asks for one", async () => {
  const people = "id,first,last,mail\n1,Ada,Lovelace,a@example.com\n2,Alan,Turing,t@example.com\n";
  writeFileSync(join(folder, "people.csv"), people);
  const servers = await Promise.all(whole.map(() => startOwnServer()));
  // One process runs them one after another.
  const lines = whole.map((block, at) => {
    const { origin = "", base = "", token = "" } = servers[at] ?? {};
    const environment = { SCIM_BASE_URL: origin + base, SCIM_TOKEN: token, FOLDER: folder };
    return `Object.assign(process.env, ${JSON.stringify(environment)});\nawait import("./${fileOf(block)}");`;
  });
  const all = join(folder, "all.js");
  writeFileSync(all, `${lines.join("\n")}\nconsole.log("all ran");\n`);
  try {
    const { stdout } = await run(process.execPath, ["--conditions=@scim/source", all]);
    expect(stdout).toContain("all ran");
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
});
