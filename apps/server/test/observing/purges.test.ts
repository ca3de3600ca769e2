import { expect, test } from "vitest";
import { eventually } from "../eventually.ts";
import { ENGINES } from "../over-http/engines.ts";
import { exchange } from "../over-http/exchange.ts";
import { startInProcess } from "../over-http/in-process.ts";
import { samplesOf, totalOf } from "./metric-text.ts";

test("what is removed in time is counted by kind", async () => {
  const [sqlite] = ENGINES;
  if (sqlite === undefined) throw new TypeError("There is no SQLite");
  const { environment } = await sqlite.make();
  const before = await startInProcess(environment);
  const { path } = await before.user({ userName: "anna" });
  await before.call("DELETE", path);
  await before.stop();

  const { origin } = await startInProcess({
    ...environment,
    SCIM_METRICS: "open",
    SCIM_RETENTION_DELETED: "0",
  });
  const purged = async (kind: string): Promise<number | null> => {
    const { text } = await exchange(origin, { method: "GET", path: "/metrics" });
    return totalOf(samplesOf(text), "scim_purged_rows_total", { kind });
  };
  await eventually(async () => expect(await purged("deleted")).toBe(1));
  expect([await purged("events"), await purged("audit"), await purged("requests")]).toEqual([0, 0, 0]);
});
