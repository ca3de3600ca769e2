/**
 * What it costs to find something among many users, against finding it among few, on each engine.
 * @module
 */
import { isJsonObject, type JsonObject } from "@scim/schemas";
import { lowerDecile, sideBySideAsync } from "../measure.ts";
import type { Report } from "../report.ts";
import { type Engine, POSTGRES, SQLITE } from "./database.ts";
import { fillService, type FilledService, user } from "./filled.ts";
import { list, type Query } from "./list.ts";
import { measureLookups } from "./lookups.ts";

const FEW = 1000;
const PAGE = 100;
/** A far page may take so many times what the first takes. */
const MOST_TIMES_FAR = 1.3;
const MOST_INDEX_PAGE_MS = 100;
const PAGES = { samples: 21, warmUp: 4, batch: 3 };

/** Measures on both engines, among 1,000 users and among as many as are asked for. */
export async function measureScaling(report: Report, users: number): Promise<void> {
  for (const engine of [SQLITE, POSTGRES]) await measureEngine(report, engine, users);
}

async function measureEngine(report: Report, engine: Engine, users: number): Promise<void> {
  const few = await fillService(engine, FEW);
  try {
    const many = await fillService(engine, users);
    try {
      await measureLookups(report, few, many);
      await measurePages(report, many);
      await measureNaive(report, many);
    } finally {
      await many.close();
    }
  } finally {
    await few.close();
  }
}

async function measurePages(report: Report, filled: FilledService): Promise<void> {
  const { engine, users } = filled;
  const far = Math.min(10_000, users / PAGE - 1);
  for (const sortBy of [null, "userName"]) {
    const query: Query = { sortBy, attributes: ["userName"], count: PAGE };
    const first = await list(filled, { ...query, cursor: "" });
    const cursor = await cursorOf(filled, { query, page: far, like: String(first.nextCursor) });
    const times = await sideBySideAsync(
      {
        first: () => list(filled, { ...query, cursor: "" }),
        far: () => list(filled, { ...query, cursor }),
      },
      PAGES,
    );
    const order = sortBy === null ? "" : ` and ${sortBy}`;
    const work = `${engine}: page ${far.toLocaleString("en")} by cursor${order} against page 1, of ${users.toLocaleString("en")} users`;
    report.figure({ work, value: times.far / times.first, unit: "×", most: MOST_TIMES_FAR });
  }
  const startIndex = users * 0.9 + 1;
  const middle = users / 2;
  for (const [sortBy, at] of [
    [null, startIndex],
    [null, middle],
    ["userName", startIndex],
  ] as const) {
    const { page } = await sideBySideAsync(
      { page: () => list(filled, { startIndex: at, sortBy }) },
      { samples: 7, warmUp: 1, batch: 1 },
    );
    const order = sortBy === null ? "" : ` by ${sortBy}`;
    report.figure({
      work: `${engine}: the page at startIndex ${at.toLocaleString("en")}${order}, of ${users.toLocaleString("en")} users`,
      value: page / 1e6,
      unit: "ms",
      most: at === middle ? null : MOST_INDEX_PAGE_MS,
    });
  }
}

/** A cursor names a place, which is read from an index page here instead of walking there. */
async function cursorOf(
  filled: FilledService,
  { query, page, like }: { readonly query: Query; readonly page: number; readonly like: string },
): Promise<string> {
  const startIndex = (page - 1) * PAGE;
  const { resources } = await list(filled, { ...query, startIndex, count: 1 });
  const [last] = resources;
  if (last === undefined) throw new Error("There is no such page.");
  // What this benchmark's cursors hold can be read: binding, count, expiry, direction, place.
  const [binding, limit, expires, direction, place] = JSON.parse(
    Buffer.from(like, "base64url").toString(),
  ) as [unknown, unknown, unknown, unknown, readonly [string, string, unknown]];
  const key = query.sortBy === "userName" ? last["userName"] : null;
  const next = [binding, limit, expires, direction, [place[0], last["id"], key]];
  return Buffer.from(JSON.stringify(next)).toString("base64url");
}

/** The same answer by reading every body and filtering here. */
async function measureNaive(report: Report, filled: FilledService): Promise<void> {
  const { engine, users, raw } = filled;
  const name = user.name(users / 3 - (users % 3) / 3, users);
  const { ours } = await sideBySideAsync(
    { ours: () => list(filled, { filter: `userName eq "${name}"` }) },
    { samples: 15, warmUp: 3, batch: 10 },
  );
  const times: number[] = [];
  for (let sample = 0; sample < 2; sample += 1) {
    const start = performance.now();
    const found = (await raw.query("SELECT body FROM resources WHERE tenant = 'default' AND type = 'User'"))
      .map(({ body }) => parsed(body))
      .filter((body) => String(body["userName"]).toLowerCase() === name);
    if (found.length !== 1) throw new Error("The naive approach found something else.");
    times.push((performance.now() - start) * 1e6);
  }
  report.compare(
    `${engine}: userName eq among ${users.toLocaleString("en")} users`,
    { name: "index", value: ours / 1000, unit: "µs" },
    { name: "read all, filter in memory", value: lowerDecile(times) / 1000, unit: "µs" },
    null,
  );
}

function parsed(body: unknown): JsonObject {
  const value: unknown = JSON.parse(String(body));
  // What the store wrote is JSON.
  return isJsonObject(value as JsonObject) ? (value as JsonObject) : {};
}
