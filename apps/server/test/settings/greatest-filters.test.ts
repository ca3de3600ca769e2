import { expect, test } from "vitest";
import { SETTINGS } from "../../src/settings/table.ts";
import { startInProcess } from "../over-http/in-process.ts";

/** The greatest value of a setting, as it states it. */
function greatest(key: "filter.maxDepth" | "filter.maxLength"): number {
  return Number(SETTINGS[key].bound.split(" to ").at(-1));
}

const nested = (levels: number): string => `${"(".repeat(levels)}userName pr${")".repeat(levels)}`;
const ofLength = (characters: number): string => `userName eq "${"a".repeat(characters - 14)}"`;

test.each([
  ["filter.maxDepth", "SCIM_FILTER_MAX_DEPTH", nested],
  ["filter.maxLength", "SCIM_FILTER_MAX_LENGTH", ofLength],
] as const)("%s at its greatest lets filters be what it says, and no more", async (key, variable, make) => {
  const most = greatest(key);
  const server = await startInProcess({
    SCIM_DATABASE_URL: "sqlite::memory:",
    [variable]: String(most),
  });
  const statusOf = async (size: number): Promise<number> => {
    const { status } = await server.call("GET", `/Users?filter=${encodeURIComponent(make(size))}`);
    return status;
  };
  expect([await statusOf(most), await statusOf(most + 1)]).toEqual([200, 400]);
});
