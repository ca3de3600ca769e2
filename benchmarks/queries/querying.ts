/**
 * Projection, sorting and paging among many users, in this process.
 * @module
 */
import type { ListAnswer } from "@scim/core";
import { CONTEXT } from "../in-process.ts";
import { sideBySideAsync } from "../measure.ts";
import type { Report } from "../report.ts";
import { SQLITE } from "./database.ts";
import { fillService, type FilledService, user } from "./filled.ts";
import { list } from "./list.ts";

const USERS = 100_000;
const PAGE = 100;
const FAR_PAGE = 900;
const LAST_PAGE = USERS / PAGE;
/** A far page may take so many times what the first takes. */
const MOST_TIMES = 1.3;
const MOST_INDEX_PAGE_MS = 100;
/** Where one call takes milliseconds. */
const SLOW = { samples: 15, warmUp: 3, batch: 3 };

/** Measures all of it. */
export async function measureQueries(report: Report): Promise<void> {
  const filled = await fillService(SQLITE, USERS);
  try {
    await measureProjection(report, filled);
    await measureSorts(report, filled);
    for (const sortBy of [null, "userName"]) await measureWalk(report, filled, sortBy);
  } finally {
    await filled.close();
  }
}

async function measureProjection(report: Report, filled: FilledService): Promise<void> {
  const precondition = { ifMatch: null, ifNoneMatch: null };
  const read = (attributes: readonly string[] | null) => () =>
    filled.service.read(CONTEXT, {
      type: "User",
      id: user.id(1),
      attributes,
      excludedAttributes: null,
      precondition,
    });
  const one = await sideBySideAsync({ part: read(["userName"]), whole: read(null) });
  compare(report, "GET a User", [one.part, "attributes=userName"], [one.whole, "whole, with groups"]);

  const users = await sideBySideAsync(
    { part: () => list(filled, { excludedAttributes: ["groups"] }), whole: () => list(filled, {}) },
    SLOW,
  );
  compare(report, `list ${PAGE} Users`, [users.part, "without groups"], [users.whole, "whole"]);
  const groups = await sideBySideAsync(
    {
      part: () => list(filled, { type: "Group", count: 10, excludedAttributes: ["members"] }),
      whole: () => list(filled, { type: "Group", count: 10 }),
    },
    { ...SLOW, batch: 1 },
  );
  compare(report, "list 10 Groups of 1,000", [groups.part, "without members"], [groups.whole, "whole"]);
}

async function measureSorts(report: Report, filled: FilledService): Promise<void> {
  const times = await sideBySideAsync(
    {
      plain: () => list(filled, {}),
      indexed: () => list(filled, { sortBy: "userName" }),
      descending: () => list(filled, { sortBy: "userName", sortOrder: "descending" }),
      last: () => list(filled, { startIndex: USERS - PAGE + 1 }),
    },
    SLOW,
  );
  const among = `among ${USERS.toLocaleString("en")} Users`;
  compare(report, `the first page ${among}`, [times.indexed, "by userName"], [times.plain, "unsorted"]);
  compare(
    report,
    `the first page ${among}`,
    [times.descending, "by userName, descending"],
    [times.plain, "unsorted"],
  );
  report.figure({
    work: `the last page by startIndex ${among}`,
    value: times.last / 1e6,
    unit: "ms",
    most: MOST_INDEX_PAGE_MS,
  });
  const scan = await sideBySideAsync(
    { unindexed: () => list(filled, { sortBy: "nickName" }) },
    { samples: 2, warmUp: 0, batch: 1 },
  );
  report.figure({
    work: `the first page by nickName, no index, ${among}`,
    value: scan.unindexed / 1e6,
    unit: "ms",
    most: null,
  });
}

/** Walks to the end, and compares a far page, and the last one, with the first. */
async function measureWalk(report: Report, filled: FilledService, sortBy: string | null): Promise<void> {
  const query = { sortBy, attributes: ["userName"] };
  const cursors = [""];
  for (let page = 1; page < LAST_PAGE; page += 1) {
    const { nextCursor } = await list(filled, { ...query, cursor: cursors.at(-1) ?? "" });
    if (nextCursor === null) throw new Error(`The walk ended at page ${String(page)}.`);
    cursors.push(nextCursor);
  }
  const pageOf = (page: number) => (): Promise<ListAnswer> =>
    list(filled, { ...query, cursor: cursors[page - 1] ?? "" });
  const times = await sideBySideAsync(
    { first: pageOf(1), far: pageOf(FAR_PAGE), last: pageOf(LAST_PAGE) },
    SLOW,
  );
  const order = sortBy === null ? "" : ` and ${sortBy}`;
  const against = (page: string, time: number): void => {
    const work = `${page} by cursor${order}: latency against page 1`;
    report.figure({ work, value: time / times.first, unit: "×", most: MOST_TIMES });
  };
  against(`page ${String(FAR_PAGE)}`, times.far);
  against(`page ${String(LAST_PAGE)}, the last,`, times.last);
}

function compare(
  report: Report,
  work: string,
  [ours, ourName]: readonly [number, string],
  [theirs, theirName]: readonly [number, string],
): void {
  report.compare(
    work,
    { name: ourName, value: ours / 1000, unit: "µs" },
    { name: theirName, value: theirs / 1000, unit: "µs" },
    null,
  );
}
