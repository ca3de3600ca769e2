/**
 * What a resource keeps of the service that it comes from: its id, and when it was created.
 */
import { USER_URN, type JsonObject } from "@scim/schemas";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SeenKeys, type ImportOutcome } from "../../src/index.ts";
import { testService, type TestService } from "../support/service.ts";

async function importedInto(
  { service, context }: TestService,
  more: JsonObject,
): Promise<ImportOutcome | undefined> {
  const items = [{ record: 1, type: "User", body: { schemas: [USER_URN], userName: "anna", ...more } }];
  const request = { items, seen: new SeenKeys(), keepIds: true, mode: "upsert" as const };
  const prepared = await service.prepareImport(context(), request);
  const [outcome] = await prepared.apply({ run: null, onRejected: async () => undefined });
  return outcome;
}

describe.each(["UTC", "Asia/Tokyo", "America/New_York"])("meta.created on a machine in %s", (zone) => {
  test.each([
    ["2020-01-02T03:04:05", "2020-01-02T03:04:05.000Z"],
    ["2020-01-02T03:04:05.6789", "2020-01-02T03:04:05.678Z"],
    ["2020-01-02T03:04:05Z", "2020-01-02T03:04:05.000Z"],
    ["2020-01-02T03:04:05+09:00", "2020-01-01T18:04:05.000Z"],
    ["2020-12-31T24:00:00", "2021-01-01T00:00:00.000Z"],
  ])("of %s is %s: without an offset it is UTC (R7643-2.3.5-02)", async (given, created) => {
    vi.stubEnv("TZ", zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    const tested = testService();
    const outcome = await importedInto(tested, { id: "u1", meta: { created: given } });
    expect(outcome).toMatchObject({ kind: "created" });
    expect(await tested.as().resource("User", "u1")).toMatchObject({ meta: { created } });
  });
});
