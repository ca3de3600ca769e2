/**
 * Look-ups of a few resources over HTTP, among many users against few: as long as one client waits for each answer.
 * @module
 */
import { randomBytes } from "node:crypto";
import { answersTo, send } from "../http/load.ts";
import { startOurs, type Target } from "../http/start.ts";
import { lowerDecile } from "../measure.ts";
import type { Report } from "../report.ts";
import { type FilledService, user } from "./filled.ts";

/** A look-up may take so many times longer among many. */
const MOST_TIMES = 1.5;
/** Users that are looked for in turn, far from each other. */
const SOUGHT = 300;
const ROUNDS = 7;
const ROUND_SECONDS = 1;

/** Queries that find a few resources, whatever their number: the same many among few and among many. */
const LOOKUPS: readonly (readonly [string, (filled: FilledService, at: number) => string])[] = [
  ["userName eq", ({ users }, at) => usersWith(`userName eq "${user.name(at, users)}"`)],
  ["externalId eq", ({ users }, at) => usersWith(`externalId eq "${user.name(at, users)}"`)],
  ["emails.value eq", ({ users }, at) => usersWith(`emails.value eq "${user.name(at, users)}@example.com"`)],
  [
    "members.value eq",
    (_filled, at) => `/Groups?excludedAttributes=members&${filter(`members.value eq "${user.id(at)}"`)}`,
  ],
  [
    "displayName sw, ten",
    ({ users }, at) => usersWith(`displayName sw "${user.displayPrefix(at % (users / 10))}"`),
  ],
];

/** Measures a server on each of two databases. */
export async function measureLookups(report: Report, few: FilledService, many: FilledService): Promise<void> {
  const ofFew = await serve(few);
  try {
    const ofMany = await serve(many);
    try {
      for (const [name, pathOf] of LOOKUPS) {
        const among = `${many.users.toLocaleString("en")} against ${few.users.toLocaleString("en")} users`;
        const times = await timesOf(
          { target: ofFew, paths: pathsOf(few, pathOf) },
          { target: ofMany, paths: pathsOf(many, pathOf) },
        );
        const work = `${many.engine}: ${name}, ${among} (${micro(times.many)} against ${micro(times.few)})`;
        report.figure({ work, value: times.many / times.few, unit: "×", most: MOST_TIMES });
      }
    } finally {
      await ofMany.stop();
    }
  } finally {
    await ofFew.stop();
  }
}

function serve({ url }: FilledService): Promise<Target> {
  const key = randomBytes(32).toString("base64url");
  return startOurs({ SCIM_DATABASE_URL: url, SCIM_SECRET_KEYS: `1:${key}` });
}

interface Side {
  readonly target: Target;
  readonly paths: readonly string[];
}

/** Milliseconds of one look-up on each side, in turns; the first ones are not counted. */
async function timesOf(few: Side, many: Side): Promise<{ readonly few: number; readonly many: number }> {
  for (const side of [few, many]) await prove(side);
  const times: { readonly few: number[]; readonly many: number[] } = { few: [], many: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const took = { few: await latency(few), many: await latency(many) };
    if (round === 0) continue;
    times.few.push(took.few);
    times.many.push(took.many);
  }
  return { few: lowerDecile(times.few), many: lowerDecile(times.many) };
}

/** @throws Error where a look-up finds nothing */
async function prove({ target, paths }: Side): Promise<void> {
  for (const path of paths) {
    const { totalResults }: { readonly totalResults: number } = JSON.parse(await send(target, "GET", path));
    if (totalResults === 0) throw new Error(`${path} found nothing.`);
  }
}

async function latency({ target, paths }: Side): Promise<number> {
  const load = { method: "GET", paths, connections: 1, seconds: ROUND_SECONDS } as const;
  return 1000 / (await answersTo(target, load)).perSecond;
}

function pathsOf(filled: FilledService, pathOf: (filled: FilledService, at: number) => string): string[] {
  return Array.from({ length: SOUGHT }, (_, turn) => pathOf(filled, ((turn + 1) * 104_729) % filled.users));
}

function usersWith(expression: string): string {
  return `/Users?${filter(expression)}`;
}

function filter(expression: string): string {
  return `filter=${encodeURIComponent(expression)}`;
}

function micro(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000).toLocaleString("en")} µs`;
}
