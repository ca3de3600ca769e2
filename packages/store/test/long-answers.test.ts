import { createPlan, filterOf, indexPage, NOTHING, SCOPE } from "@scim/core/testing";
import type { ResourceSnapshot, StoreScope } from "@scim/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { LongAnswerTurns } from "../src/resources/long-answer-turns.ts";
import { openPostgres } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";

/** Scans run beside the requests, however few resources there are. */
const BESIDE = { scans: { inPlace: 0 } };

/** More than any store has places for. */
const CROWD = 20;

const OTHER: StoreScope = { ...SCOPE, tenant: "other" };

describe.each([
  ["SQLite", () => open(newFile(), BESIDE)],
  ["PostgreSQL", () => openPostgres(BESIDE)],
] as const)("long answers from %s", (_, openStore) => {
  test("wait for each other, and are all sent", async () => {
    const { resources } = await openStore();
    let [underWay, most] = [0, 0];
    const answers = Array.from({ length: CROWD }, async () => {
      const snapshot = await resources.snapshot(SCOPE);
      underWay += 1;
      most = Math.max(most, underWay);
      await snapshot.readMany({ type: "User", ids: ["a"] }, NOTHING);
      underWay -= 1;
      await snapshot.close();
    });
    const refused = (await Promise.allSettled(answers)).filter(({ status }) => status === "rejected");
    expect(refused).toEqual([]);
    expect(most).toBeLessThan(CROWD);
  });

  test("whose clients read slowly take the places neither of scans nor of other tenants", async () => {
    const { resources } = await openStore();
    await resources.write(SCOPE, createPlan({ type: "User", id: "a", body: { title: "Dr" } }));
    const client = new AbortController();
    const held: ResourceSnapshot[] = [];
    const crowd = Array.from({ length: CROWD }, async () => {
      held.push(await resources.snapshot({ ...SCOPE, signal: client.signal }));
    });
    onTestFinished(async () => {
      client.abort(new Error("gone"));
      await Promise.allSettled(crowd);
      await Promise.all(held.map((snapshot) => snapshot.close()));
    });
    await expect.poll(() => held.length).toBeGreaterThan(0);
    const query = { type: "User", filter: filterOf("User", 'title eq "dr"'), sort: null };
    const scan = await resources.query(SCOPE, { ...query, page: indexPage(0, 1), select: NOTHING });
    expect(scan).toMatchObject({ kind: "page", scanned: true, total: 1 });
    await (await resources.snapshot(OTHER)).close();
  });
});

test("a long answer that waits too long is refused, and its turn is that of others", async () => {
  const turns = new LongAnswerTurns(1, 1);
  const end = await turns.take("a");
  const refusal = { code: "unavailable", status: 503, headers: { "retry-after": "5" } };
  await expect(turns.take("a")).rejects.toMatchObject(refusal);
  expect(turns.load).toEqual({ running: 1, waiting: 0 });
  end();
  (await turns.take("a"))();
});
