/**
 * What a server costs until it answers and in memory, and what many custom resource types cost it more; and how long
 * their descriptions take. It is the built program, each time on a database of its own.
 * @module
 */
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { residentMiB } from "../process-memory.ts";
import { cpuTime } from "../http/cpu-time.ts";
import { send } from "../http/load.ts";
import { startOurs, type Target } from "../http/start.ts";
import { lowerDecile } from "../measure.ts";
import type { Report } from "../report.ts";
import { folderOfMany, MANY } from "./many-types.ts";

const ROUNDS = 7;
/** Bars of a server with the built-in types, and of what the others add. */
const MOST_MS = { plain: 500, more: 100 };
const MOST_MIB = { plain: 120, more: 30 };
/** Until what a start needs once is collected. */
const SETTLE_MS = 300;

interface Start {
  readonly milliseconds: number;
  /** Of all its threads; NaN where the system does not tell. */
  readonly processorMs: number;
  readonly mebibytes: number;
}

/** Measures starts with and without them, taking turns. */
export async function measureStart(report: Report): Promise<void> {
  const folder = folderOfMany();
  const [plain, many]: [Start[], Start[]] = [[], []];
  try {
    // The next starts find compiled what this one has compiled.
    await start({});
    for (let round = 0; round < ROUNDS; round += 1) {
      plain.push(await start({}));
      many.push(await start({ SCIM_SCHEMAS: folder }));
    }
    await measureDescriptions(report, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const time = "start to first answer, built program, compiled before";
  compare(report, { work: time, of: (each) => each.milliseconds, unit: "ms", most: MOST_MS }, [many, plain]);
  // On a machine that others use, this is what one build has less of than another.
  report.figure({
    work: "processor time of that start",
    value: lowerDecile(plain.map(({ processorMs }) => processorMs)),
    unit: "ms",
    most: null,
  });
  const memory = "resident memory idle, once it has answered";
  compare(report, { work: memory, of: (each) => each.mebibytes, unit: "MiB", most: MOST_MIB }, [many, plain]);
}

interface Compared {
  readonly work: string;
  readonly of: (start: Start) => number;
  readonly unit: string;
  readonly most: { readonly plain: number; readonly more: number };
}

function compare(
  report: Report,
  { work, of, unit, most }: Compared,
  [many, plain]: readonly [readonly Start[], readonly Start[]],
): void {
  const [withThem, without] = [lowerDecile(many.map(of)), lowerDecile(plain.map(of))];
  const more = `${work}, ${MANY} custom resource types more`;
  report.figure({ work, value: without, unit, most: most.plain });
  report.figure({ work: more, value: withThem - without, unit, most: most.more });
}

async function start(environment: Readonly<Record<string, string>>): Promise<Start> {
  const before = performance.now();
  const target = await startOurs(environment);
  try {
    await send(target, "GET", "/Users");
    const milliseconds = performance.now() - before;
    const processorMs = (cpuTime(target) ?? Number.NaN) / 1000;
    await delay(SETTLE_MS);
    return { milliseconds, processorMs, mebibytes: residentMiB(target.process.pid) };
  } finally {
    await target.stop();
  }
}

/** The first and the next look at what describes the types. */
async function measureDescriptions(report: Report, folder: string): Promise<void> {
  const target = await startOurs({ SCIM_SCHEMAS: folder });
  const origin = { ...target, base: new URL(target.base).origin };
  try {
    for (const [of, path] of [
      [target, "/Schemas"],
      [target, "/ResourceTypes"],
      [origin, "/openapi.json"],
    ] as const) {
      const [first = 0, ...others] = await timesOf(of, path);
      report.figure({
        work: `first GET ${path}, ${MANY} custom types`,
        value: first,
        unit: "ms",
        most: null,
      });
      report.figure({ work: `next GET ${path}`, value: Math.min(...others), unit: "ms", most: null });
    }
  } finally {
    await target.stop();
  }
}

async function timesOf(target: Target, path: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let call = 0; call < 6; call += 1) {
    const before = performance.now();
    await send(target, "GET", path);
    times.push(performance.now() - before);
  }
  return times;
}
