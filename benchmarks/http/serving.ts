/**
 * The daily work of a service provider over HTTP, against scimmy-routers and against bare Fastify.
 * @module
 */
import { GROUP_URN, PATCH_OP_URN } from "@scim/schemas";
import type { Report, Side } from "../report.ts";
import { SAMPLE_USER } from "../sample-user.ts";
import { atRest } from "./at-rest.ts";
import { cpuTime } from "./cpu-time.ts";
import { answersTo, type Load, rateInTurn, send } from "./load.ts";
import { startBare, startOurs, startScimmy, type Target } from "./start.ts";
import { median } from "./timed-reads.ts";

const CONNECTIONS = 32;
const USERS = 1000;
/** So many that no text of a User is kept until it is asked for again. */
const MANY_USERS = 20_000;
/** So many that moments in which the machine does something else do not decide. */
const ROUNDS = 7;
/** Of one round. */
const SECONDS = 1;
/** A server that has answered a few thousand requests is still being compiled: what a request costs halves until then. */
const WARM_UP_SECONDS = 6;
const GROUP_SIZES = [10, 1000, 100_000];
/** Largest group that scimmy-routers is given: to make one of 100,000 members takes it most of a minute. */
const MOST_FOR_SCIMMY = 1000;

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

/** What bare Fastify does not do either: a line for each request, and a log of what was asked and answered. */
const WITHOUT_LOGS = { SCIM_LOG_LEVEL: "warn", SCIM_REQUESTS_LOG: "off" };

interface Sides {
  readonly ours: Target;
  /** Ours, with what it logs of each request switched off. */
  readonly silent: Target;
  /** Ours, with so many users that each is read as if it were for the first time. */
  readonly many: Target;
  readonly bare: Target;
  readonly scimmy: Target;
}

/** Measures all of it. */
export async function measureServing(report: Report, fdatasyncMs: number): Promise<void> {
  const sides: Sides = {
    ours: await startOurs(),
    silent: await startOurs(WITHOUT_LOGS),
    many: await startOurs(),
    bare: await startBare(),
    scimmy: await startScimmy(),
  };
  try {
    await measureReads(report, sides);
    await measureCreates(report, sides, fdatasyncMs);
    await measureMembers(report, sides);
  } finally {
    await Promise.all(Object.values(sides).map(async (side) => side.stop()));
  }
}

async function measureReads(report: Report, sides: Sides): Promise<void> {
  const ids = {
    ours: await fill(sides.ours),
    silent: await fill(sides.silent),
    many: await fill(sides.many, MANY_USERS),
    scimmy: await fill(sides.scimmy),
  };
  await copy(sides, ids.ours);
  // What a create leaves behind for later, such as its entry in the audit log, is no part of a read.
  await atRest(sides.ours);
  await atRest(sides.silent);
  await atRest(sides.many);
  const reading = (of: readonly string[]): Load =>
    load(
      "GET",
      of.map((id) => `/Users/${id}`),
    );
  const [ours, bare, scimmy, silent, many] = await measured([
    [sides.ours, reading(ids.ours)],
    [sides.bare, reading(ids.ours)],
    [sides.scimmy, reading(ids.scimmy)],
    [sides.silent, reading(ids.silent)],
    [sides.many, reading(ids.many)],
  ]);
  compareAll(report, "GET a User by id", [ours, bare, scimmy], [0.6, 10]);
  compareAll(report, "GET a User by id, without logs", [silent, bare, scimmy], [null, null]);
  compareAll(report, `GET each of ${MANY_USERS} Users in turn`, [many, bare, scimmy], [null, null]);

  const names = Array.from(
    { length: USERS },
    (_, n) => `/Users?filter=${encodeURIComponent(`userName eq "bench-${n}"`)}`,
  );
  const looking = load("GET", names);
  const lookups = await measured([
    [sides.ours, looking],
    [sides.bare, looking],
    [sides.scimmy, looking],
  ]);
  compareAll(report, `userName eq among ${USERS}`, lookups, [null, null]);
}

async function measureCreates(report: Report, sides: Sides, fdatasyncMs: number): Promise<void> {
  const create = (path: string): Load => ({ ...load("POST", [path]), body: nextUser });
  const [ours, silent, grouped, alone, scimmy] = await measured([
    [sides.ours, create("/Users")],
    [sides.silent, create("/Users")],
    [sides.bare, create("/grouped/Users")],
    [sides.bare, create("/one-by-one/Users")],
    [sides.scimmy, create("/Users")],
  ]);
  const slow = fdatasyncMs >= SLOW_FDATASYNC_MS;
  const work = `POST a User, ${CONNECTIONS} connections`;
  for (const [name, cost] of [
    [work, ours],
    [`${work}, without logs`, silent],
  ] as const) {
    const isHeld = cost === ours;
    const against = (other: string, theirs: Cost | undefined, bar: number | null): void =>
      compareCosts(report, name, {
        ours: cost ?? UNKNOWN,
        name: other,
        theirs: theirs ?? UNKNOWN,
        bar: isHeld ? bar : null,
      });
    against("bare Fastify, group commit", grouped, slow ? null : 0.5);
    against("bare Fastify, one commit each", alone, slow ? 1.5 : null);
    against("scimmy-routers", scimmy, null);
  }
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
        seconds: SECONDS,
      });
    const ours = (await rate("ours")) ?? Number.NaN;
    bySize.set(size, ours);
    const others = size > MOST_FOR_SCIMMY ? (["bare"] as const) : (["bare", "scimmy"] as const);
    for (const side of others) {
      const theirs = await rate(side);
      const { name } = sides[side];
      if (theirs === null)
        report.figure({ work: `${work}: ${name}`, value: 0, unit: "answers in 5 s", most: null });
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

/** What answers cost. */
interface Cost {
  readonly perSecond: number;
  /** Processor time of the server, in microseconds an answer; null where the system does not tell. */
  readonly cpu: number | null;
}

const UNKNOWN: Cost = { perSecond: Number.NaN, cpu: null };

/** What each load costs, to servers that are warm: the medians of rounds that take turns. */
async function measured(loads: readonly (readonly [Target, Load])[]): Promise<readonly Cost[]> {
  for (const [target, of] of loads) await answersTo(target, { ...of, seconds: WARM_UP_SECONDS });
  const rounds: Cost[][] = loads.map(() => []);
  const inTurn = [...loads.entries()];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Nobody is always the first, nor always behind the same one.
    const order = round % 2 === 0 ? inTurn : inTurn.toReversed();
    for (const [index, [target, of]] of order) rounds[index]?.push(await costOf(target, of));
  }
  return rounds.map((costs) => ({
    perSecond: median(costs.map((cost) => cost.perSecond)),
    cpu: costs.some(({ cpu }) => cpu === null) ? null : median(costs.map(({ cpu }) => cpu ?? 0)),
  }));
}

async function costOf(target: Target, of: Load): Promise<Cost> {
  const before = cpuTime(target);
  const answers = await answersTo(target, of);
  const after = cpuTime(target);
  const cpu = before === null || after === null ? null : (after - before) / answers.count;
  return { perSecond: answers.perSecond, cpu };
}

function compareAll(
  report: Report,
  work: string,
  [ours = UNKNOWN, bare = UNKNOWN, scimmy = UNKNOWN]: readonly (Cost | undefined)[],
  [bareBar, scimmyBar]: readonly [bare: number | null, scimmy: number | null],
): void {
  compareCosts(report, work, { ours, name: "bare Fastify", theirs: bare, bar: bareBar });
  compareCosts(report, work, { ours, name: "scimmy-routers", theirs: scimmy, bar: scimmyBar });
}

/** Rates are held to the bar; processor time says the same on a machine that others use. */
function compareCosts(
  report: Report,
  work: string,
  {
    ours,
    name,
    theirs,
    bar,
  }: Readonly<Record<"ours" | "theirs", Cost>> & {
    readonly name: string;
    readonly bar: number | null;
  },
): void {
  report.compare(work, perSecond("@scim/server", ours.perSecond), perSecond(name, theirs.perSecond), bar);
  compareProcessor(report, work, { ours, name, theirs });
}

function compareProcessor(
  report: Report,
  work: string,
  { ours = UNKNOWN, name, theirs = UNKNOWN }: Compared,
): void {
  if (ours.cpu === null || theirs.cpu === null) return;
  const side = (of: string, value: number): Side => ({ name: of, value, unit: "µs" });
  report.compare(`${work}: processor`, side("@scim/server", ours.cpu), side(name, theirs.cpu), null);
}

interface Compared {
  readonly ours: Cost | undefined;
  readonly name: string;
  readonly theirs: Cost | undefined;
}

function perSecond(name: string, value: number): Side {
  return { name, value, unit: "/s" };
}

/** Creates users; resolves to their ids. */
async function fill(target: Target, count = USERS): Promise<readonly string[]> {
  const users = Array.from({ length: count }, (_, n) => n);
  const ids: string[] = [];
  await manyAtOnce(users, async (n) => {
    const user = { ...SAMPLE_USER, userName: `bench-${n}`, externalId: `bench-${n}` };
    ids.push(JSON.parse(await send(target, "POST", "/Users", user)).id);
  });
  return ids;
}

/** Does work for each item, as many at once as there are connections. */
async function manyAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
}

/** Gives bare Fastify the very texts that our server answers with. */
async function copy(sides: Sides, ids: readonly string[]): Promise<void> {
  await manyAtOnce(ids, async (id) => {
    const user = JSON.parse(await send(sides.ours, "GET", `/Users/${id}`));
    await send(sides.bare, "POST", "/one-by-one/Users", user);
  });
}

/** Creates a group of so many members; resolves to its id. */
async function groupOf(target: Target, size: number): Promise<string> {
  if (target.name === "bare Fastify") return `group-${size}`;
  const members = Array.from({ length: size }, (_, n) => ({ value: `filler-${n}` }));
  const group = { schemas: [GROUP_URN], displayName: `group of ${size}`, members };
  return JSON.parse(await send(target, "POST", "/Groups", group)).id;
}
