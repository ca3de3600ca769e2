/**
 * Imports of many users by the command line, against one POST for each of them.
 * @module
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ENTERPRISE_USER_URN, USER_URN, type JsonObject } from "@scim/schemas";
import { send } from "../http/load.ts";
import { startOurs, type Target } from "../http/start.ts";
import type { Report } from "../report.ts";

/** Users to import; `SCIM_BENCH_IMPORT=1000000` for the size that the bar names. */
const USERS = Number(process.env["SCIM_BENCH_IMPORT"] ?? 100_000);

/** Requests of the other side: they are many times slower, and none is faster for being the millionth. */
const REQUESTS = 1000;

const LEAST_RATE = 20_000;
const MOST_MIB = 300;

const PROGRAM = fileURLToPath(new URL("../../apps/server/dist/cli.js", import.meta.url));
const PEAK = fileURLToPath(new URL("peak-memory.ts", import.meta.url));

/** What an import took. */
interface Taken {
  readonly seconds: number;
  readonly peakMiB: number;
}

/** Measures an import of JSON lines and of CSV, and one POST a line. */
export async function measureImport(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "scim-import-"));
  try {
    const alone = await oneByOne();
    for (const [form, name, write] of [
      ["JSON lines", "users.jsonl", jsonLine],
      ["CSV", "users.csv", csvLine],
      ["JSON lines in order of userName", "in-order.jsonl", lineInOrder],
    ] as const) {
      await writeSource(join(folder, name), write);
      const { seconds, peakMiB } = await importOf(folder, name);
      const rate = USERS / seconds;
      const work = `import ${USERS.toLocaleString("en")} Users from ${form}`;
      const ours = { name: "scim import", value: rate, unit: "/s" } as const;
      report.compare(work, ours, { name: "a POST for each", value: alone, unit: "/s" }, null);
      report.compare(`${work}, the bar`, ours, { name: "wanted", value: LEAST_RATE, unit: "/s" }, 1);
      report.figure({ work: `${work}, peak memory`, value: peakMiB, unit: "MiB", most: MOST_MIB });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function importOf(folder: string, name: string): Promise<Taken> {
  const database = `sqlite:${join(folder, `${name}.db`)}`;
  const args = [
    "--import",
    PEAK,
    PROGRAM,
    "import",
    join(folder, name),
    "--type",
    "User",
    "--database-url",
    database,
  ];
  const start = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const seconds = (performance.now() - start) / 1000;
  if (!stdout.includes(`${USERS.toLocaleString("en")} created`)) throw new Error(stdout);
  return { seconds, peakMiB: Number(/^peak (\d+) MiB$/m.exec(stdout)?.[1]) };
}

/** Names in no order, as they come out of other systems. */
function nameOf(number: number): string {
  return `user-${String((number * 7_368_787) % 10_000_019).padStart(8, "0")}`;
}

function userOf(number: number, name = nameOf(number)): JsonObject {
  return {
    schemas: [USER_URN, ENTERPRISE_USER_URN],
    externalId: `hr-${String(number).padStart(8, "0")}`,
    userName: `${name}@example.com`,
    name: { givenName: "Barbara", familyName: `Jensen ${number}` },
    displayName: `Barbara Jensen ${number}`,
    emails: [{ value: `${name}@example.com`, type: "work", primary: true }],
    active: true,
    [ENTERPRISE_USER_URN]: { employeeNumber: String(number), department: `Department ${number % 200}` },
  };
}

function jsonLine(number: number): string {
  return `${JSON.stringify(userOf(number))}\n`;
}

/** As a source is that was sorted before: what is written together stands near to each other in every index. */
function lineInOrder(number: number): string {
  return `${JSON.stringify(userOf(number, `user-${String(number).padStart(8, "0")}`))}\n`;
}

const HEADER = [
  "externalId",
  "userName",
  "name.givenName",
  "name.familyName",
  "displayName",
  'emails[type eq "work"].value',
  "active",
  `${ENTERPRISE_USER_URN}:employeeNumber`,
  `${ENTERPRISE_USER_URN}:department`,
].join(",");

function csvLine(number: number): string {
  const name = nameOf(number);
  const fields = [
    `hr-${String(number).padStart(8, "0")}`,
    `${name}@example.com`,
    "Barbara",
    `Jensen ${number}`,
    `Barbara Jensen ${number}`,
    `${name}@example.com`,
    "true",
    number,
    `Department ${number % 200}`,
  ];
  return `${number === 1 ? `${HEADER}\n` : ""}${fields.join(",")}\n`;
}

async function writeSource(path: string, write: (number: number) => string): Promise<void> {
  const file = createWriteStream(path);
  for (let number = 1; number <= USERS; number += 1)
    if (!file.write(write(number))) await once(file, "drain");
  file.end();
  await once(file, "close");
}

/** Users a second where each is a request, one after another on one connection. */
async function oneByOne(): Promise<number> {
  const target: Target = await startOurs();
  try {
    const start = performance.now();
    for (let number = 1; number <= REQUESTS; number += 1)
      await send(target, "POST", "/Users", userOf(number));
    return (REQUESTS / (performance.now() - start)) * 1000;
  } finally {
    await target.stop();
  }
}
