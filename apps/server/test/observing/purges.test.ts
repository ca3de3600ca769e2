import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { samplesOf, totalOf } from "./metric-text.ts";

test("what is removed in time is counted by kind", async () => {
  const [sqlite] = ENGINES;
  if (sqlite === undefined) throw new TypeError("There is no SQLite");
  const database = await sqlite.make();
  const before = await startInProcess(database.environment);
  const { path } = await before.user({ userName: "anna" });
  await before.call("DELETE", path);
  const rows = async (table: string): Promise<number> =>
    (await database.query(`SELECT 1 FROM ${table} WHERE tenant = 'default'`)).length;
  // Entries of the audit log come with the positions of events, some moments behind them.
  for (const table of ["audit_entries", "request_log"])
    await eventually(async () => expect(await rows(table)).toBe(2));
  await before.stop();
  for (const table of ["events", "audit_entries", "request_log"])
    await database.query(`UPDATE ${table} SET at = '2020-01-01T00:00:00.000Z' WHERE tenant = 'default'`);
  await database.query("UPDATE request_runs SET begun = '2020-01-01T00:00:00.000Z' WHERE tenant = 'default'");

  const { origin } = await startInProcess({
    ...database.environment,
    SCIM_METRICS: "open",
    SCIM_RETENTION_DELETED: "0",
  });
  const purged = async (kind: string): Promise<number | null> => {
    const { text } = await exchange(origin, { method: "GET", path: "/metrics" });
    return totalOf(samplesOf(text), "scim_purged_rows_total", { kind });
  };
  await eventually(async () => expect(await purged("deleted")).toBe(1));
  for (const kind of ["events", "audit", "requests"])
    await eventually(async () => expect(await purged(kind), kind).toBe(2));
  for (const table of ["events", "audit_entries", "request_log"]) expect(await rows(table)).toBe(0);
});
