import { expect, test } from "vitest";
import { Populations } from "../../src/guard/populations.ts";
import { CATALOG } from "../delivery/service.ts";

const PLACE = {
  tenant: "acme",
  connection: "entra",
  type: "User",
  measure: "deletions",
  windowStart: "2026-03-01T00:00:00.000Z",
} as const;

test("a population is counted once a minute, and again where the clock was set back", async () => {
  let [now, users] = [Date.UTC(2026, 2, 1), 100];
  const store = { population: async () => users, values: async () => 0 };
  const populations = new Populations({ store, catalog: CATALOG, now: () => now });
  const share = () => populations.share({ place: PLACE, percent: 10, enough: 1 });
  expect(await share()).toBe(10);
  users = 1000;
  now += 59_999;
  expect(await share()).toBe(10);
  now -= 3_600_000;
  expect(await share()).toBe(100);
});
