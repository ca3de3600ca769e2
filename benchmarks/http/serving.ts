/**
 * The daily work of a service provider over HTTP, against scimmy-routers and against bare Fastify.
 * @module
 */
import { GROUP_URN, PATCH_OP_URN } from "@scim/schemas";
import type { Report, Side } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";
import { rateInTurn, ratePerSecond, send, type Load } from "./load.ts";
import { startBare, startOurs, startScimmy, type Target } from "./start.ts";

const CONNECTIONS = 32;
const USERS = 1000;
const ROUNDS = 2;
const SECONDS = 3;
const GROUP_SIZES = [10, 1000, 100_000];

/** Where one fdatasync takes longer, writes that share a commit win against bare ones that do not. */
const SLOW_FDATASYNC_MS = 0.2;

let counter = 0;
const nextUser = (): string => {
  counter += 1;
  return JSON.stringify({
    ...SAMPLE_USER,
    userName: `user-${counter}@example.com`,
    externalId: `e-${counter}`,
  });
};

interface Sides {
  readonly ours: Target;
  readonly bare: Target;
  readonly scimmy: Target;
}

/** Measures all of it. */
export async function measureServing(report: Report, fdatasyncMs: number): Promise<void> {
  const sides: Sides = { ours: await startOurs(), bare: await startBare(), scimmy: await startScimmy() };
  try {
    await measureReads(report, sides);
    await measureCreates(report, sides, fdatasyncMs);
    await measureMembers(report, sides);
  } finally {
    await Promise.all(Object.values(sides).map(async (side) => side.stop()));
  }
}

async function measureReads(report: Report, sides: Sides): Promise<void> {
  const ids = { ours: await fill(sides.ours), scimmy: await fill(sides.scimmy) };
  await copy(sides, ids.ours);
  const reading = (of: readonly string[]): Load =>
    load(
      "GET",
      of.map((id) => `/Users/${id}`),
    );
  const gets = await rates([
    [sides.ours, reading(ids.ours)],
    [sides.bare, reading(ids.ours)],
    [sides.scimmy, reading(ids.scimmy)],
  ]);
  compareRates(report, "GET a User by id", gets, [0.6, 10]);

  const names = Array.from(
    { length: USERS },
    (_, n) => `/Users?filter=${encodeURIComponent(`userName eq "bench-${n}"`)}`,
  );
  const looking = load("GET", names);
  const lookups = await rates([
    [sides.ours, looking],
    [sides.bare, looking],
    [sides.scimmy, looking],
  ]);
  compareRates(report, `userName eq among ${USERS}`, lookups, [null, null]);
}

async function measureCreates(report: Report, sides: Sides, fdatasyncMs: number): Promise<void> {
  const create = (path: string): Load => ({ ...load("POST", [path]), body: nextUser });
  const [ours, grouped, alone, scimmy] = await rates([
    [sides.ours, create("/Users")],
    [sides.bare, create("/grouped/Users")],
    [sides.bare, create("/one-by-one/Users")],
    [sides.scimmy, create("/Users")],
  ]);
  const slow = fdatasyncMs >= SLOW_FDATASYNC_MS;
  const against = (name: string, value: number | undefined, bar: number | null): void => {
    report.compare(
      `POST a User, ${CONNECTIONS} connections`,
      { name: sides.ours.name, value: ours ?? Number.NaN, unit: "/s" },
      { name, value: value ?? Number.NaN, unit: "/s" },
      bar,
    );
  };
  against("bare Fastify, group commit", grouped, slow ? null : 0.5);
  against("bare Fastify, one commit each", alone, slow ? 1.5 : null);
  against("scimmy-routers", scimmy, null);
}

async function measureMembers(report: Report, sides: Sides): Promise<void> {
  const bySize = new Map<number, number>();
  for (const size of GROUP_SIZES) {
    const work = `add a member to a group of ${size}`;
    const rate = async (side: keyof Sides): Promise<number | null> =>
      rateInTurn(sides[side], {
        method: "PATCH",
        paths: [`/Groups/${await groupOf(sides[side], size)}`],
        body: nextMember,
        seconds: SECONDS / 2,
      });
    const ours = (await rate("ours")) ?? Number.NaN;
    bySize.set(size, ours);
    for (const side of ["bare", "scimmy"] as const) {
      const theirs = await rate(side);
      const { name } = sides[side];
      if (theirs === null)
        report.figure({ work: `${work}: ${name}`, value: 0, unit: "answers in 10 s", most: null });
      else report.compare(work, perSecond("@scim/server", ours), perSecond(name, theirs), null);
    }
  }
  const [small = 0, , large = 0] = GROUP_SIZES;
  report.figure({
    work: `add a member to a group of ${large}: latency against one of ${small}`,
    value: (bySize.get(small) ?? Number.NaN) / (bySize.get(large) ?? Number.NaN),
    unit: "×",
    most: 1.5,
  });
}

/** One member more, as Entra ID sends it. */
function nextMember(): string {
  counter += 1;
  const operation = { op: "Add", path: "members", value: [{ $ref: null, value: `member-${counter}` }] };
  return JSON.stringify({ schemas: [PATCH_OP_URN], Operations: [operation] });
}

function load(method: Load["method"], paths: readonly string[]): Load {
  return { method, paths, connections: CONNECTIONS, seconds: SECONDS };
}

/** Rates of each load, the rounds taking turns. */
async function rates(loads: readonly (readonly [Target, Load])[]): Promise<readonly number[]> {
  const sums = loads.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, [target, of]] of loads.entries()) {
      sums[index] = (sums[index] ?? 0) + (await ratePerSecond(target, of));
    }
  }
  return sums.map((sum) => sum / ROUNDS);
}

function compareRates(
  report: Report,
  work: string,
  measured: readonly number[],
  bars: readonly [bare: number | null, scimmy: number | null],
): void {
  const [ours = Number.NaN, bare = Number.NaN, scimmy = Number.NaN] = measured;
  report.compare(work, perSecond("@scim/server", ours), perSecond("bare Fastify", bare), bars[0]);
  report.compare(work, perSecond("@scim/server", ours), perSecond("scimmy-routers", scimmy), bars[1]);
}

function perSecond(name: string, value: number): Side {
  return { name, value, unit: "/s" };
}

/** Creates users; resolves to their ids. */
async function fill(target: Target): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < USERS; n += 1) {
    const user = { ...SAMPLE_USER, userName: `bench-${n}`, externalId: `bench-${n}` };
    ids.push(JSON.parse(await send(target, "POST", "/Users", user)).id);
  }
  return ids;
}

/** Gives bare Fastify the very texts that our server answers with. */
async function copy(sides: Sides, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const user = JSON.parse(await send(sides.ours, "GET", `/Users/${id}`));
    await send(sides.bare, "POST", "/one-by-one/Users", user);
  }
}

/** Creates a group of so many members; resolves to its id. */
async function groupOf(target: Target, size: number): Promise<string> {
  if (target.name === "bare Fastify") return `group-${size}`;
  const members = Array.from({ length: size }, (_, n) => ({ value: `filler-${n}` }));
  const group = { schemas: [GROUP_URN], displayName: `group of ${size}`, members };
  return JSON.parse(await send(target, "POST", "/Groups", group)).id;
}
