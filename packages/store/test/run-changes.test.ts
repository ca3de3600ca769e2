import { createPlan, SCOPE } from "@scim/core/testing";
import {
  type LoggedRequest,
  readRunChanges,
  type RequestLogStore,
  type RequestRun,
  type RunChangesPage,
} from "@scim/events";
import { SAMPLE_KEYS } from "@scim/events/testing";
import { describe, expect, test } from "vitest";
import type { Store } from "../src/store.ts";
import { at, AUDITED, CATALOG, counted, create, idAt, place } from "./support/events-of-requests.ts";
import { loggedRequest } from "./support/logged-request.ts";

const { tenant } = SCOPE;
const PAUSE = 300_000;

async function logged(
  store: Store,
  requests: readonly (Partial<LoggedRequest> & { tenths: number })[],
): Promise<void> {
  const entries = requests.map(({ tenths, ...of }, end) =>
    loggedRequest({ ...SCOPE, id: idAt(tenths, end), at: at(tenths), requestId: `r${tenths}`, ...of }),
  );
  await store.requests.add({ ...SCOPE, entries, skipped: 0, pause: PAUSE });
}

async function onlyRun(store: Store): Promise<RequestRun> {
  const [run, ...others] = await store.requests.runs(tenant, { connection: SCOPE.connection, limit: 9 });
  expect(others).toEqual([]);
  if (run === undefined) throw new TypeError("There is no run.");
  return run;
}

/** The pages of a run, one behind the other. */
async function pagesOf(
  sources: Parameters<typeof readRunChanges>[0],
  run: RequestRun,
  limit: number,
): Promise<readonly RunChangesPage[]> {
  const pages: RunChangesPage[] = [];
  for (let since: number | null = null; ;) {
    const page: RunChangesPage = await readRunChanges(sources, tenant, { run, since, limit });
    pages.push(page);
    if (!page.more) return pages;
    since = page.next;
  }
}

function idsOf(pages: readonly RunChangesPage[]): readonly string[] {
  return pages.flatMap(({ changes }) => changes.map(({ id }) => id));
}

describe.each(AUDITED)("the changes of a run, on %s", (_name, openNew) => {
  test("a page of a run reads as much of its log and of the events as a page is, however long the run is", async () => {
    const store = await openNew();
    const all = Array.from({ length: 1200 }, (_, tenths) => tenths);
    await Promise.all(all.map((tenths) => create(store, `u${tenths}`, { tenths, request: `r${tenths}` })));
    await logged(
      store,
      all.map((tenths) => ({ tenths })),
    );
    await place(store);
    const run = await onlyRun(store);
    const { events, count } = counted(store);
    let rows = 0;
    const requests: Pick<RequestLogStore, "requestIds"> = {
      requestIds: async (of, query) => {
        const found = await store.requests.requestIds(of, query);
        rows += found.length;
        return found;
      },
    };
    const pages = await pagesOf({ ...SAMPLE_KEYS, events, requests, catalog: CATALOG }, run, 100);
    expect(count()).toBeLessThan(pages.length * 150);
    expect(rows).toBeLessThan(pages.length * 500);
    expect(pages.slice(0, -1).every(({ changes }) => changes.length === 100)).toBe(true);
    expect(idsOf(pages).toSorted()).toEqual(all.map((tenths) => `u${tenths}`).toSorted());
  });

  test("the changes of a run are those of its requests alone, whenever these were answered", async () => {
    const store = await openNew();
    await create(store, "early", { tenths: 0, request: "r-before" });
    await create(store, "own", { tenths: 10, request: "r10" });
    await create(store, "of-another", { tenths: 11, request: "r10", by: "second" });
    await create(store, "of-a-job", { tenths: 12, request: "r20/7" });
    await create(store, "of-a-long-job", { tenths: 13, request: "r-long" });
    await create(store, "not-logged", { tenths: 14, request: "r-skipped" });
    await create(store, "of-an-operator", { tenths: 15, command: "scim import" });
    await create(store, "clock-back", { tenths: 900, request: "r-back" });
    await create(store, "later", { tenths: 90_000, request: "r10" });
    await logged(store, [
      { tenths: 10 },
      { tenths: 20 },
      { tenths: 100, requestId: "r-back" },
      { tenths: 1600, requestId: "r-long" },
    ]);
    await place(store);
    const run = await onlyRun(store);
    const sources = { ...SAMPLE_KEYS, ...store, catalog: CATALOG };
    const expected = ["own", "of-a-job", "of-a-long-job", "clock-back"];
    for (const limit of [1, 2, 4, 100]) expect(idsOf(await pagesOf(sources, run, limit))).toEqual(expected);
    const behind = await readRunChanges(sources, tenant, { run, since: 4, limit: 9 });
    expect(idsOf([behind])).toEqual(["of-a-long-job", "clock-back"]);
  });

  test("a page looks at so many events of others, and says where to go on", async () => {
    const store = await openNew();
    await create(store, "first", { tenths: 1, request: "r1" });
    const others = Array.from({ length: 6000 }, (_, n) =>
      createPlan({ type: "User", id: `x${n}`, body: { userName: `x${n}` }, at: at(2) }),
    );
    const written = await store.resources.imports?.writeAll({ tenant, connection: "second" }, others, null);
    expect(written).toMatchObject({ kind: "written" });
    await create(store, "last", { tenths: 3, request: "r3" });
    await logged(store, [{ tenths: 1 }, { tenths: 3 }]);
    await place(store);
    const pages = await pagesOf({ ...SAMPLE_KEYS, ...store, catalog: CATALOG }, await onlyRun(store), 10);
    expect(pages.map(({ changes }) => changes.map(({ id }) => id))).toEqual([["first"], ["last"]]);
    expect(pages.map(({ next }) => next)).toEqual([5000, 6002]);
  });
});
