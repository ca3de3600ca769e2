import type { AdminAct } from "@scim/tenancy";
import { describe, expect, test } from "vitest";
import { toldAtBothEnds } from "../../src/administration/told-command.ts";

/** A trail, and the outcomes that it was told; it cannot be written to where the outcome is one of those refused. */
function trailRefusing(refused?: string) {
  const outcomes: unknown[] = [];
  const tell = async ({ after }: AdminAct): Promise<void> => {
    const outcome = after?.["outcome"];
    if (outcome !== undefined && outcome === refused) throw new Error("the database is locked");
    outcomes.push(outcome);
  };
  return { store: { trail: { tell } }, outcomes };
}

const ERASURE = { command: "scim erase", about: "acme/1" };

describe("a command that is told at both ends", () => {
  test("is done, or failed", async () => {
    const { store, outcomes } = trailRefusing();
    expect(await toldAtBothEnds(store, ERASURE, async () => 7)).toBe(7);
    await expect(toldAtBothEnds(store, ERASURE, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(outcomes).toEqual([undefined, "done", undefined, "failed"]);
  });

  test("never failed where it was done and that could not be told", async () => {
    const { store, outcomes } = trailRefusing("done");
    await expect(toldAtBothEnds(store, ERASURE, async () => 7)).rejects.toThrow("locked");
    expect(outcomes).toEqual([undefined]);
  });
});
