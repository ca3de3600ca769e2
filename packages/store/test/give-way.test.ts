import { expect, test, vi } from "vitest";
import { SqliteConnection } from "../src/sqlite/connection.ts";
import { givesWayAt, givingWayBetween } from "../src/sqlite/give-way.ts";
import { sql } from "../src/sql.ts";
import { newFile } from "./support/folders.ts";

const ROWS = 160;
const LONG = sql`SELECT count(*) AS n FROM (
  WITH RECURSIVE rows (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM rows WHERE n < ${ROWS - 1}) SELECT n FROM rows)
  WHERE ${givesWayAt(sql`n`)}`;

test.each([
  ["of a thread that has time rests, once in sixteen rows at most", { givesWay: true }, ROWS / 16],
  ["of the thread of the requests does not", {}, 0],
] as const)("a long statement %s, and goes through all rows", (_, options, rests) => {
  // Each look at the clock finds it a millisecond later.
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
  const wait = vi.spyOn(Atomics, "wait");
  const connection = new SqliteConnection(newFile(), { lockWait: 0, ...options });
  try {
    expect(connection.run(LONG).rows).toEqual([{ n: ROWS }]);
    expect(wait).toHaveBeenCalledTimes(rests);
  } finally {
    vi.restoreAllMocks();
    connection.close();
  }
});

test("rows that are gone through one by one come as they are, and a rest behind sixteen at most", () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 1));
  const wait = vi.spyOn(Atomics, "wait");
  const rows = Array.from({ length: ROWS }, (_, n) => ({ n }));
  try {
    expect([...givingWayBetween(rows)]).toEqual(rows);
    expect(wait).toHaveBeenCalledTimes(ROWS / 16);
  } finally {
    vi.restoreAllMocks();
  }
});
