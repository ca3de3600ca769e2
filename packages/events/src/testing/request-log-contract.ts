/**
 * What every request log must do, as data without a test runner.
 * @module
 */
import { expectEqual } from "@scim/core/testing";
import type { RequestIdsQuery, RunQuery } from "../requests/port.ts";
import { APART_REQUEST_RULES } from "./request-neighbours.ts";
import {
  added,
  CONNECTION,
  entryId,
  listed,
  minute,
  type RequestLogRule,
  sampleRequest,
  TENANT,
} from "./sample-requests.ts";

/**
 * The contract of a store's request log.
 *
 * @example
 * for (const { rule, name, run } of REQUEST_LOG_CONTRACT) {
 *   test(`${rule}: ${name}`, () => run(() => openStore({ audit: SAMPLE_AUDIT })));
 * }
 */
export const REQUEST_LOG_CONTRACT: readonly RequestLogRule[] = [
  {
    rule: "requests/kept",
    name: "entries are kept as they are, with the run that they belong to",
    run: async (open) => {
      const store = await open();
      const { requests } = store;
      const entries = [
        sampleRequest(1),
        sampleRequest(2, { status: 409, errorCode: "uniqueness", body: null }),
      ];
      await added(store, entries);
      const [run] = await requests.runs(TENANT, { limit: 9 });
      const kept = entries.map((entry) => ({ ...entry, run: run?.run }));
      expectEqual(await requests.list(TENANT, { limit: 9 }), kept.toReversed(), "listed");
      expectEqual(await requests.find(TENANT, entryId(1)), kept[0], "found");
      expectEqual(await requests.find(TENANT, entryId(3)), null, "no such entry");
    },
  },
  {
    rule: "requests/query",
    name: "entries are found by all that is asked for together",
    run: async (open) => {
      const store = await open();
      const own = [0, 1, 20].map((minutes) => sampleRequest(minutes, { status: 400 + minutes }));
      await added(store, own);
      await added(store, [sampleRequest(2, { connection: "second", status: 500, requestId: "r1" })]);
      const [run] = await store.requests.runs(TENANT, { connection: CONNECTION, limit: 1 });
      expectEqual(await listed(store), ["r20", "r1", "r1", "r0"], "all");
      expectEqual(await listed(store, { connection: "second" }), ["r1"], "of a connection");
      expectEqual(await listed(store, { run: run?.run }), ["r20"], "of a run");
      expectEqual(await listed(store, { status: { from: 400, to: 401 } }), ["r1", "r0"], "of an outcome");
      expectEqual(await listed(store, { status: { from: 402, to: 499 } }), ["r20"], "of another");
      expectEqual(await listed(store, { since: minute(2) }), ["r20", "r1"], "since an instant");
      expectEqual(await listed(store, { requestId: "r1" }), ["r1", "r1"], "of a request");
      expectEqual(await listed(store, { requestId: "r1", connection: CONNECTION }), ["r1"], "of both");
      expectEqual(await listed(store, { requestId: "r2" }), [], "of no request");
    },
  },
  {
    rule: "requests/paged",
    name: "pages begin behind the last entry of the page before, in either order",
    run: async (open) => {
      const store = await open();
      for (const minutes of [3, 1, 4, 2]) await added(store, [sampleRequest(minutes)]);
      expectEqual(await listed(store, { limit: 2 }), ["r4", "r3"], "the newest");
      expectEqual(await listed(store, { limit: 2, before: entryId(3) }), ["r2", "r1"], "before");
      expectEqual(await listed(store, { limit: 2, after: "" }), ["r1", "r2"], "the oldest");
      expectEqual(await listed(store, { limit: 9, after: entryId(2) }), ["r3", "r4"], "behind");
      expectEqual(await listed(store, { after: entryId(1), before: entryId(4) }), ["r2", "r3"], "between");
    },
  },
  {
    rule: "requests/ids",
    name: "the ids of requests of a run are read between two places, whether entries stand there or not",
    run: async (open) => {
      const store = await open();
      for (const minutes of [1, 2, 3, 4]) await added(store, [sampleRequest(minutes)]);
      await added(store, [sampleRequest(2.5, { connection: "second" })]);
      await added(store, [sampleRequest(2.6, { tenant: "south" })]);
      const [run] = await store.requests.runs(TENANT, { connection: CONNECTION, limit: 1 });
      const all = { run: run?.run ?? "", after: "", before: "f", limit: 9 };
      const idsOf = async (of: Partial<RequestIdsQuery>): Promise<readonly string[]> =>
        (await store.requests.requestIds(TENANT, { ...all, ...of })).map(({ requestId }) => requestId);
      expectEqual(await idsOf({}), ["r1", "r2", "r3", "r4"], "all");
      expectEqual(await idsOf({ limit: 2 }), ["r1", "r2"], "the oldest");
      expectEqual(await idsOf({ after: entryId(1), before: entryId(4) }), ["r2", "r3"], "between entries");
      expectEqual(await idsOf({ after: `${entryId(1)}-`, before: entryId(3.5) }), ["r2", "r3"], "between");
      expectEqual(await idsOf({ run: "run-no-such" }), [], "of no run");
      const [first] = await store.requests.requestIds(TENANT, all);
      expectEqual(first, { id: entryId(1), requestId: "r1" }, "both ids");
    },
  },
  {
    rule: "requests/runs",
    name: "a pause begins a new run, whoever adds the entries and in whatever order",
    run: async (open) => {
      const store = await open();
      await added(store, [sampleRequest(2, { status: 400 })]);
      await Promise.all(
        [[0, 1], [3]].map((at) =>
          added(
            store,
            at.map((each) => sampleRequest(each, { status: 399 })),
          ),
        ),
      );
      await added(store, [sampleRequest(2.5)]);
      await added(store, [sampleRequest(9), sampleRequest(10)]);
      await added(store, [sampleRequest(15), sampleRequest(20.1, { status: 503 })], 7);
      await added(store, [], 2);
      const runs = (query: Partial<RunQuery> = {}): ReturnType<typeof store.requests.runs> =>
        store.requests.runs(TENANT, { limit: 9, ...query });
      const all = await runs();
      expectEqual(
        all.map((run) => [run.connection, run.begun, run.ended, run.requests, run.failed, run.skipped]),
        [
          [CONNECTION, minute(20.1), minute(20.1), 1, 1, 9],
          [CONNECTION, minute(9), minute(15), 3, 0, 0],
          [CONNECTION, minute(0), minute(3), 5, 1, 0],
        ],
        "runs",
      );
      const [third, second, oldest] = all;
      expectEqual(await runs({ limit: 1 }), [third], "a page");
      expectEqual(await runs({ before: third?.run, limit: 1 }), [second], "the next");
      expectEqual(await runs({ run: second?.run }), [second], "one");
      expectEqual(await runs({ since: minute(15) }), [third, second], "that ended since");
      expectEqual(await runs({ since: minute(15), before: second?.run }), [], "of both");
      expectEqual(
        (await listed(store, { run: oldest?.run })).toSorted(),
        ["r0", "r1", "r2", "r2.5", "r3"],
        "entries",
      );
    },
  },
  {
    rule: "requests/clocks",
    name: "runs go on to begin where a clock was ahead for a while",
    run: async (open) => {
      const store = await open();
      for (const minutes of [0, 1, 500_000, 20, 21, 40]) await added(store, [sampleRequest(minutes)]);
      const runs = await store.requests.runs(TENANT, { limit: 9 });
      expectEqual(
        runs.map(({ begun, ended, requests: count }) => [begun, ended, count]),
        [
          [minute(500_000), minute(500_000), 1],
          [minute(40), minute(40), 1],
          [minute(20), minute(21), 2],
          [minute(0), minute(1), 2],
        ],
        "runs",
      );
      const [source] = await store.requests.sources(TENANT);
      expectEqual(
        [source?.last, source?.intervals],
        [minute(40), [500_000, 20].map((minutes) => minutes * 60_000)],
        "habits",
      );
    },
  },
  {
    rule: "requests/sources",
    name: "the habits of a connection are those of its last ten runs",
    run: async (open) => {
      const store = await open();
      const { requests } = store;
      const begins = Array.from({ length: 13 }, (_, at) => at * at * 10);
      for (const begin of begins) await added(store, [sampleRequest(begin), sampleRequest(begin + 1)]);
      const intervals = begins.slice(3).map((begin, at) => (begin - (begins[at + 2] ?? 0)) * 60_000);
      const source = {
        tenant: TENANT,
        connection: CONNECTION,
        last: minute(1441),
        intervals,
        silenceTold: null,
      };
      expectEqual(await requests.sources(TENANT), [source], "sources");
      await added(store, [sampleRequest(1440.5)]);
      expectEqual((await requests.sources(TENANT))[0]?.last, minute(1441), "what comes late is not the last");
      await added(store, [sampleRequest(5, { connection: "another" })]);
      await added(store, [sampleRequest(5, { tenant: "south" })]);
      const names = (await requests.sources(TENANT)).map(({ connection }) => connection);
      expectEqual(names, ["another", CONNECTION], "by name");
      expectEqual(await requests.tenants("", 9), [TENANT, "south"], "tenants");
      expectEqual(await requests.tenants("", 1), [TENANT], "one tenant");
      expectEqual(await requests.tenants(TENANT, 9), ["south"], "tenants behind one");
    },
  },
  {
    rule: "requests/silence",
    name: "that a connection is silent is told once, until it speaks again",
    run: async (open) => {
      const store = await open();
      const { requests } = store;
      const told = async (): Promise<unknown> => (await requests.sources(TENANT))[0]?.silenceTold;
      await added(store, [sampleRequest(0)]);
      const [before] = await requests.sources(TENANT);
      await added(store, [sampleRequest(1)]);
      const [source] = await requests.sources(TENANT);
      if (before === undefined || source === undefined) throw new TypeError("The connection has a source.");
      expectEqual(
        [await requests.tellSilence(before, minute(9)), await told()],
        [false, null],
        "a request came",
      );
      const tells = await Promise.all([1, 2, 3].map(() => requests.tellSilence(source, minute(9))));
      expectEqual([tells.filter(Boolean).length, await told()], [1, minute(9)], "once");
      expectEqual(
        [await requests.tellSilence(source, minute(10)), await told()],
        [false, minute(9)],
        "again",
      );
      await added(store, [sampleRequest(11)]);
      expectEqual(await told(), null, "it speaks");
    },
  },
  {
    rule: "requests/listening",
    name: "requests are listened to since the first look behind a pause that is too long, and the service is no connection",
    run: async (open) => {
      const { requests } = await open();
      const since = (minutes: number): Promise<string> => requests.listening(minute(minutes), 15 * 60_000);
      const looks: readonly (readonly [minutes: number, since: number])[] = [
        [0, 0],
        [15, 0],
        [20, 0],
        // A process whose clock is behind.
        [19, 0],
        [35, 0],
        [50.1, 50.1],
        [55, 50.1],
        [600, 600],
      ];
      for (const [minutes, from] of looks) expectEqual(await since(minutes), minute(from), `at ${minutes}`);
      const several = await Promise.all([610, 610, 610].map(since));
      expectEqual(several, [minute(600), minute(600), minute(600)], "several processes");
      expectEqual(await since(500_000), minute(500_000), "a clock that is a year ahead");
      expectEqual(await since(620), minute(620), "behind it");
      expectEqual(await since(630), minute(620), "a clock that is right again");
      const tenants = await requests.tenants("", 9);
      expectEqual([tenants, await requests.sources("admin")], [[], []], "connections");
    },
  },
  {
    rule: "requests/purge",
    name: "what is from before an instant goes, and the oldest of what is too much, so many at a time",
    run: async (open) => {
      const store = await open();
      const { requests } = store;
      for (const batch of [
        [0, 1, 2, 20],
        [21, 22, 40],
      ])
        await added(
          store,
          batch.map((minutes) => sampleRequest(minutes)),
        );
      const purge = (of: object): Promise<number> =>
        requests.purge(TENANT, { before: "", characters: 1_000_000, limit: 100, ...of });
      expectEqual([await purge({}), await purge({ before: minute(0) })], [0, 0], "nothing has to go");
      expectEqual(
        [await purge({ before: minute(2), limit: 1 }), await listed(store, { limit: 1, after: "" })],
        [1, ["r1"]],
        "the oldest",
      );
      expectEqual(
        [await purge({ before: minute(2) }), (await listed(store)).at(-1)],
        [1, "r2"],
        "up to the instant",
      );
      expectEqual((await requests.runs(TENANT, { limit: 9 })).length, 3, "a run of which one is left");
      expectEqual(
        [await purge({ before: minute(20) }), (await listed(store)).at(-1)],
        [1, "r20"],
        "all of the run",
      );
      expectEqual((await requests.runs(TENANT, { limit: 9 })).length, 2, "a run of which none is left");
      const size = JSON.stringify(sampleRequest(40)).length;
      expectEqual(
        [await purge({ characters: 3 * size, limit: 1 }), await purge({ characters: 3 * size })],
        [1, 0],
        "too much",
      );
      expectEqual(await listed(store), ["r40", "r22", "r21"], "the newest stay");
      expectEqual([await purge({ characters: 0 }), await listed(store)], [3, []], "all");
    },
  },
  {
    rule: "requests/erased",
    name: "no entry is kept that names a subject whose erasure began or ended behind the request",
    run: async (open) => {
      const store = await open();
      const { requests, erasures } = store;
      const named = { resource: "u-anna" } as const;
      await erasures.begin({ tenant: TENANT, id: "u-anna" }, minute(3));
      await added(store, [
        sampleRequest(2, named),
        sampleRequest(4, { target: "/Groups?filter=members eq u-anna" }),
        sampleRequest(5, { type: "GroupMembership", resource: "g1~u-anna" }),
        sampleRequest(6, { type: "GroupMembership", resource: "u-anna~g1" }),
      ]);
      await added(store, [sampleRequest(9, named), sampleRequest(10, { resource: "g1~u-anna2" })], 2);
      expectEqual(await listed(store), ["r10"], "under way");
      await erasures.end({ tenant: TENANT, id: "u-anna" }, minute(20));
      const long = sampleRequest(25, { ...named, durationMs: 5 * 60_000 });
      await added(store, [sampleRequest(19, named), long, sampleRequest(26, { ...named, status: 404 })]);
      expectEqual(await listed(store), ["r26", "r10"], "done");
      const skipped = (await requests.runs(TENANT, { limit: 9 })).map((run) => run.skipped);
      expectEqual(skipped.reduce((sum, each) => sum + each, 0) >= 5, true, "count as skipped");
      await added(store, [sampleRequest(19, { ...named, tenant: "south" })]);
      expectEqual(await listed(store, {}, "south"), ["r19"], "of another tenant");
    },
  },
  ...APART_REQUEST_RULES,
];
