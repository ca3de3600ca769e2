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

describe("an id that is kept", () => {
  test.each(["a", "0b1c", "A-b.c_d~e", ".searched", "..a", ".dry-run", "Me", "bulkid", "x".repeat(128)])(
    "is %s",
    async (id) => {
      expect(await importedInto(testService(), { id })).toMatchObject({ kind: "created", id });
    },
  );

  const FORM = /1 to 128 letters, digits, '-', '\.', '_' or '~'/;
  test.each<[string, string, RegExp]>([
    ["is empty", "", FORM],
    ["is too long", "x".repeat(129), FORM],
    ["has a slash", "a/b", FORM],
    ["is where a search stands (RFC 7644 §3.4.3)", ".search", /no address can name it/],
    ["is the folder itself (RFC 3986 §5.2.4)", ".", /no address can name it/],
    ["is the folder above", "..", /no address can name it/],
    ["is the reserved word (R7643-3.1-04)", "bulkId", /the reserved word 'bulkId' must not occur/],
    ["holds the reserved word (R7643-3.1-04)", "a.bulkId-7", /the reserved word 'bulkId' must not occur/],
  ])("and %s is refused, with the reason", async (_, id, reason) => {
    expect(await importedInto(testService(), { id })).toMatchObject({
      kind: "rejected",
      error: { scimType: "invalidValue", message: expect.stringMatching(/^Attribute 'id' cannot be kept: /) },
    });
    expect((await importedInto(testService(), { id }))?.error?.message).toMatch(reason);
  });
});

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
