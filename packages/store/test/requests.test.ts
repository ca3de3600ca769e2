import {
  beforeIdsOf,
  type Erasing,
  type ErasureStore,
  eraseSubject,
  type LoggedRequest,
  purgeRequests,
  type RequestBatch,
  type RequestQuery,
  type SilentConnection,
  tellSilence,
} from "@scim/events";
import { REQUEST_LOG_CONTRACT, SAMPLE_KEYS } from "@scim/events/testing";
import type { JsonValue } from "@scim/schemas";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Store } from "../src/store.ts";
import { listRequests } from "../src/requests/read-requests.ts";
import { emptyDatabase, ENGINES, openPostgresAt } from "./support/engines.ts";
import { newFile, open as openFile } from "./support/folders.ts";
import { plainSqlite } from "./support/plain-executor.ts";
import { loggedRequest } from "./support/logged-request.ts";
import { turnsDuring } from "./support/turns-during.ts";

const START = Date.parse("2026-11-02T08:00:00.000Z");
const MINUTE = 60_000;
const PAUSE = 5 * MINUTE;

/** An entry that was answered so many minutes after the start. */
function entry(minute: number, of: Partial<LoggedRequest> = {}): LoggedRequest {
  return loggedRequest({
    id: `request-${String(minute).padStart(8, "0")}`,
    at: new Date(START + minute * MINUTE).toISOString(),
    tenant: "acme",
    connection: "entra",
    requestId: `r-${minute}`,
    ...of,
  });
}

test("many entries are added with turns for others", async () => {
  const { requests } = await openFile(newFile());
  const entries = Array.from({ length: 200 }, (_, index) => entry(0, { id: `request-${1000 + index}` }));
  const added = requests.add({ tenant: "acme", connection: "entra", entries, skipped: 0, pause: PAUSE });
  // Others have some before and behind it.
  expect(await turnsDuring(added)).toBeGreaterThan(6);
  expect(await requests.list("acme", { limit: 500 })).toHaveLength(200);
});

test("few that are looked for among many are found with turns for others", async () => {
  const { requests } = await openFile(newFile());
  const entries = Array.from({ length: 3500 }, (_, minute) =>
    entry(minute, minute % 1500 === 7 ? { status: 500, requestId: "quoted" } : {}),
  );
  await requests.add(batchOf(entries));
  const [first, second, third] = [7, 1507, 3007].map((minute) => entry(minute).id);
  const failed = { status: { from: 500, to: 599 } };
  const looks: readonly (readonly [Partial<RequestQuery>, found: readonly (string | undefined)[]])[] = [
    [failed, [third, second, first]],
    [{ requestId: "quoted" }, [third, second, first]],
    [{ ...failed, after: "" }, [first, second, third]],
    [{ ...failed, limit: 2 }, [third, second]],
    [{ ...failed, after: first, limit: 1 }, [second]],
    [{ ...failed, before: third, since: entry(1000).at }, [second]],
    [{ ...failed, connection: "okta" }, []],
  ];
  for (const [query, found] of looks)
    expect((await requests.list("acme", { limit: 9, ...query })).map(({ id }) => id)).toEqual(found);
  expect(await turnsDuring(requests.list("acme", { limit: 9, ...failed }))).toBeGreaterThan(2);
});

test.each([{}, { after: "" }])("what is older than asked for is not looked at: %j", async (query) => {
  const path = newFile();
  await openFile(path);
  const executor = plainSqlite(path);
  const since = entry(0).at;
  await listRequests({ ...executor, pause: async () => undefined }, "acme", { limit: 9, since, ...query });
  for (const statement of executor.statements)
    expect((await executor.explain(statement)).join("\n")).toContain("tenant=? AND id>?");
  expect(executor.statements.map(({ params }) => params[1])).toEqual([beforeIdsOf(START)]);
});

const ANNA = { tenant: "acme", id: "0195c6a2-8f6b-7c31-9a55-0d7f6f1c2b3e" };

/** A body as an entry shows it. */
function shown(json: JsonValue): Partial<LoggedRequest> {
  return { body: { json }, answer: { json } };
}

/** Entries that name a subject, and others whose texts hold its id as a part of something else. */
interface NamingRow {
  readonly id: string;
  readonly named: readonly Partial<LoggedRequest>[];
  readonly others: readonly Partial<LoggedRequest>[];
}

const OPERATION = (path: string, value: JsonValue = "~x"): Partial<LoggedRequest> =>
  shown({ Operations: [{ op: "add", path, value }] });

const NAMED: readonly (readonly [string, string, NamingRow])[] = [
  [
    "entries",
    "a number of one digit",
    {
      id: "7",
      named: [
        { resource: "7" },
        { target: "/Users/7" },
        { target: "/Users/7?attributes=userName" },
        { target: "/Users/7/" },
        { target: "/Groups?filter=members.value%20eq%20%227%22" },
        { target: "/Groups?filter=members%5Bvalue%20eq%207%5D&count=50" },
        { target: "/Groups?filter=%C3%BC%FFor%20id%20eq%20%277%27" },
        OPERATION('members[value eq "7"]'),
        OPERATION("members", [{ value: "7" }]),
        OPERATION("members", [{ value: 7 }]),
        shown({ 'members[value eq "7"].display': "~x" }),
        shown({ meta: { location: "https://scim.example/scim/v2/Users/7" } }),
        shown({ Operations: [{ location: "/Users/7", status: "200" }] }),
        shown({ detail: "There is no User with the id 7." }),
        shown({ detail: "'7' is not there" }),
        { headers: { "x-subject": "7" } },
      ],
      others: [
        { target: "/Users/17" },
        { target: "/Users/7-a" },
        { target: "/Users/7.1" },
        { target: "/Users/~7" },
        { target: "/Users?startIndex=7&count=7" },
        { target: "/Groups?filter=members.value%20eq%20%2277%22" },
        { headers: { "user-agent": "agent/7 (version 7)", "if-match": 'W/"7-n7"' } },
        { status: 207, durationMs: 7, credential: "t7" },
        shown({ totalResults: 7, itemsPerPage: 7, startIndex: 7 }),
        shown({ meta: { version: 'W/"7-abc"', created: "2026-07-07T07:17:27.007Z" } }),
        shown({ userName: "~abc7", id: "0195c6a2-8f6b-7c31-9a55-0d7f6f1c2b37" }),
        OPERATION('meta.created gt "2026-11-07T12:07:07Z"'),
      ],
    },
  ],
  [
    "entries",
    "a number that is a count and a status too",
    {
      id: "200",
      named: [{ target: "/Users/200?count=200" }, shown({ id: "200" }), shown({ status: "of 200" })],
      others: [
        { target: "/Users?count=200&startIndex=200" },
        { target: "/Users?COUNT=200" },
        shown({ Operations: [{ status: "200", location: "/Users/3" }] }),
        { status: 200 },
      ],
    },
  ],
  [
    "entries",
    "a name with full stops",
    {
      id: "a.b",
      named: [{ target: "/Users/a.b" }, shown({ detail: "Nothing is at a.b..." })],
      others: [{ target: "/Users/a.b.c" }, { target: "/Users/a.bc" }, { target: "/Users/x.a.b" }],
    },
  ],
  [
    "entries",
    "minutes",
    {
      id: "30",
      named: [shown({ value: "30" })],
      others: [
        shown({ created: "2026-11-02T08:30:30Z" }),
        { target: "/Users?filter=a%20gt%20%222026-01-01T08%3A30%3A00Z%22" },
      ],
    },
  ],
];

function erasing(erasures: ErasureStore, now: () => string): Erasing {
  return {
    ...SAMPLE_KEYS,
    origin: { command: "test" },
    erasures: { ...erasures, isKnown: async () => true },
    remove: async () => undefined,
    note: async () => undefined,
    now,
    newNonce: () => "n",
  };
}

async function add({ requests }: Store, entries: readonly LoggedRequest[], skipped = 0): Promise<void> {
  const { tenant = "acme", connection = "entra" } = entries[0] ?? {};
  await requests.add({ tenant, connection, entries, skipped, pause: PAUSE });
}

describe.each(ENGINES)("the request log on %s", (_name, open) => {
  test.each(REQUEST_LOG_CONTRACT)("$rule: $name", async ({ run }) => {
    await expect(run(open)).resolves.toBeUndefined();
  });

  test("no entry that names a subject is written behind its erasure, whoever held it meanwhile", async () => {
    const store = await open();
    const about = { resource: ANNA.id };
    await add(store, [entry(0, about), entry(1)]);
    const { erasures } = store;
    const meanwhile = {
      ...erasures,
      // Another process writes what it held, when what is in the log has gone.
      eraseLate: async (subject: Parameters<typeof erasures.eraseLate>[0]) => {
        await add(store, [entry(2, about)]);
        return erasures.eraseLate(subject);
      },
    };
    expect(
      (
        await eraseSubject(
          erasing(meanwhile, () => entry(5).at),
          ANNA,
        )
      )?.requests,
    ).toBe(1);
    const named = { target: `/Groups?filter=members.value%20eq%20%22${ANNA.id}%22` };
    // One was answered while the erasure went on, one is of a process whose clock is ahead, one began before.
    const late = [entry(4, named), entry(5.5, about), entry(7, { ...about, durationMs: 2 * MINUTE })];
    await add(store, [entry(3, about), ...late, entry(8, { ...about, status: 404 })], 1);
    await add(store, [entry(5, { target: "/Users" })]);
    const left = await store.requests.list("acme", { limit: 10 });
    expect(left.map(({ requestId }) => requestId)).toEqual(["r-8", "r-5", "r-1"]);
    const runs = await store.requests.runs("acme", { limit: 10 });
    expect(runs.map(({ skipped }) => skipped)).toEqual([5, 1]);
    await add(store, [entry(3, { ...about, tenant: "globex" })]);
    expect(await store.requests.list("globex", { limit: 10 })).toHaveLength(1);
  });

  test.each(NAMED)("%s are told apart by the whole id, %s", async (_form, _id, { id, named, others }) => {
    const store = await open();
    const { erasures } = store;
    const all = [...named, ...others].map((of, minute) => entry(minute, of));
    const kept = others.map((_, index) => `r-${named.length + index}`).toReversed();
    const requestIds = async () =>
      (await store.requests.list("acme", { limit: 100 })).map(({ requestId }) => requestId);
    await add(store, all);
    const subject = { tenant: "acme", id };
    const report = await eraseSubject(
      erasing(erasures, () => entry(1).at),
      subject,
    );
    expect(await requestIds()).toEqual(kept);
    expect(report?.requests).toBe(named.length);
    // Those that a process held meanwhile, within the minute that clocks may be apart.
    await erasures.end(subject, entry(100).at);
    await add(
      store,
      all.map((each) => ({ ...each, id: `z-${each.id}` })),
    );
    expect(await requestIds()).toEqual([...kept, ...kept]);
  });

  test("what is too old goes, and the oldest of what is too much", async () => {
    const store = await open();
    const { requests } = store;
    await add(
      store,
      Array.from({ length: 10 }, (_, minute) => entry(minute)),
    );
    await add(store, [entry(0, { tenant: "zeta" })]);
    const upkeep = { requests, now: () => START + 60 * MINUTE, isStopped: () => false, batch: 2 };
    expect(await purgeRequests({ ...upkeep, keep: 56 * MINUTE, characters: 1_000_000 })).toBe(5);
    const size = JSON.stringify(entry(9)).length;
    expect(await purgeRequests({ ...upkeep, keep: 90 * MINUTE, characters: size * 3 })).toBe(3);
    expect((await requests.list("acme", { limit: 10 })).map(({ requestId }) => requestId)).toEqual([
      "r-9",
      "r-8",
      "r-7",
    ]);
    expect(await purgeRequests({ ...upkeep, keep: 0, characters: 0 })).toBe(3);
    expect(await requests.runs("acme", { limit: 10 })).toEqual([]);
  });

  test("silence longer than a connection's cadence is told once, until it speaks again", async () => {
    const store = await open();
    const { requests } = store;
    for (const begin of [0, 40, 80, 125]) await add(store, [entry(begin)]);
    let minute = 200;
    let set: number | null = null;
    const told: SilentConnection[] = [];
    let looked = 125;
    const look = async (): Promise<readonly SilentConnection[]> => {
      // There was always somebody who would have heard it.
      for (; looked < minute; looked += 10) await requests.listening(entry(looked).at, 15 * MINUTE);
      told.length = 0;
      const now = (): number => START + minute * MINUTE;
      const onSilent = (silent: SilentConnection): void => void told.push(silent);
      const isStopped = (): boolean => false;
      const watch = { requests, now, isStopped, silentAfter: async () => set, onSilent };
      // Two processes look at once.
      await Promise.all([tellSilence(watch), tellSilence(watch)]);
      return [...told];
    };
    expect(await look()).toEqual([]);
    minute = 209;
    // Half as long again as the longest interval, 45 minutes, and a quarter of an hour.
    expect(await look()).toEqual([
      { tenant: "acme", connection: "entra", last: entry(125).at, expectedMinutes: 83 },
    ]);
    expect(await look()).toEqual([]);
    await add(store, [entry(210)]);
    minute = 221;
    expect(await look()).toEqual([]);
    set = 10;
    expect(await look()).toMatchObject([{ expectedMinutes: 10 }]);
    set = 0;
    await add(store, [entry(222)]);
    minute = 10_000;
    expect(await look()).toEqual([]);
  });

  test.each([
    ["no process ran", [[1000, 1083]]],
    [
      "none ran, and then for a while alone",
      [
        [1000, 1060],
        [2000, 2083],
      ],
    ],
  ] as const)("silence is counted from when somebody could have heard it, where %s", async (_when, runs) => {
    const store = await open();
    const { requests } = store;
    for (const begin of [0, 40, 80, 125]) await add(store, [entry(begin)]);
    const told: number[] = [];
    const lookAt = (minute: number): Promise<void> =>
      tellSilence({
        requests,
        now: () => START + minute * MINUTE,
        isStopped: () => false,
        silentAfter: async () => null,
        onSilent: () => void told.push(minute),
      });
    let over = 0;
    for (const [begin, end] of [[0, 130], ...runs])
      for (over = begin; over <= end; over += 1) await lookAt(over);
    expect(told).toEqual([]);
    await lookAt(over);
    expect(told).toEqual([over]);
  });
});

test("silence is told in time where a clock was a year ahead for a while", async () => {
  const { requests } = await openFile(newFile());
  for (const begin of [0, 40, 80, 125]) await requests.add(batchOf([entry(begin)]));
  const told: number[] = [];
  const lookAt = (minute: number): Promise<void> =>
    tellSilence({
      requests,
      now: () => START + minute * MINUTE,
      isStopped: () => false,
      silentAfter: async () => 60,
      onSilent: () => void told.push(minute),
    });
  await lookAt(125);
  await requests.add(batchOf([entry(500_000)]));
  await lookAt(500_000);
  for (let minute = 130; minute <= 200; minute += 10) await lookAt(minute);
  expect(told).toEqual([200]);
});

function batchOf(entries: readonly LoggedRequest[]): RequestBatch {
  return { tenant: "acme", connection: "entra", entries, skipped: 0, pause: PAUSE };
}

test("what two processes remove at once counts once, so that the log keeps to its size, on PostgreSQL", async () => {
  const url = await emptyDatabase();
  const [one, other] = [await openPostgresAt(url), await openPostgresAt(url)];
  const entries = Array.from({ length: 4 }, (_, minute) => entry(minute));
  await add(one, entries);
  const beside = new pg.Client({ connectionString: url });
  await beside.connect();
  onTestFinished(() => beside.end());
  await beside.query("BEGIN");
  await beside.query("SELECT id FROM request_log FOR UPDATE");
  const before = entry(2).at;
  const purge = { before, characters: 1_000_000, limit: 10 };
  const removing = Promise.all([one, other].map(({ requests }) => requests.purge("acme", purge)));
  const waiting = async () => {
    await beside.query("SELECT pg_stat_clear_snapshot()");
    const { rowCount } = await beside.query(`SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return rowCount;
  };
  await expect.poll(waiting).toBe(2);
  await beside.query("ROLLBACK");
  expect((await removing).toSorted((a, b) => a - b)).toEqual([0, 2]);
  const size = JSON.stringify(entry(3)).length;
  expect(await one.requests.purge("acme", { ...purge, before: "", characters: size })).toBe(1);
  const left = await one.requests.list("acme", { limit: 10 });
  expect(left.map(({ requestId }) => requestId)).toEqual(["r-3"]);
});

test("an erasure waits for the first entries of a connection that nobody sees yet, on PostgreSQL", async () => {
  const url = await emptyDatabase();
  const store = await openPostgresAt(url);
  const beside = new pg.Client({ connectionString: url });
  await beside.connect();
  onTestFinished(() => beside.end());
  const { id } = entry(0);
  await beside.query("BEGIN");
  await beside.query(`INSERT INTO request_log (tenant, id, at, connection, run, status, request, size, entry)
    VALUES ('acme', '${id}', '', '', '', 0, '', 0, '')`);
  const adding = add(store, [entry(0, { resource: ANNA.id })]);
  const waiting = async () => {
    await beside.query("SELECT pg_stat_clear_snapshot()");
    const { rowCount } = await beside.query(`SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return rowCount;
  };
  await expect.poll(waiting).toBe(1);
  let isDone = false;
  const erased = eraseSubject(
    erasing(store.erasures, () => entry(1).at),
    ANNA,
  ).then(() => (isDone = true));
  await expect.poll(async () => isDone || (await waiting()) === 2).toBe(true);
  await beside.query("ROLLBACK");
  await Promise.all([adding, erased]);
  expect(await store.requests.list("acme", { limit: 10 })).toEqual([]);
});
