import { setTimeout as delay } from "node:timers/promises";
import { createPlan, fetchOne, NOTHING, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { startPostgres, queryOnce } from "@scim/fixtures/postgres";
import { ScimError } from "@scim/schemas";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresAt } from "../support/engines.ts";

const WRITERS = 16;

test("a server that is restarted under load loses no acknowledged write, doubles none, and serves again", async () => {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const { resources } = await openPostgresAt(server.url, { pending: "apply", poolSize: 8 });
  const shared = Array.from({ length: 4 }, (_, index) => ({
    type: "Badge" as const,
    id: `b${String(index)}`,
    body: {},
  }));
  await seed(resources, shared);

  const acknowledged = new Set<string>();
  let refused = 0;
  const load = { isOver: false };
  /** Conditional updates: each adds its own member to the JSON of a resource. */
  async function keepWriting(writer: number): Promise<void> {
    const target = shared[writer % shared.length] ?? { type: "Badge", id: "b0" };
    for (let turn = 0; !load.isOver; turn += 1) {
      const entry = `w${String(writer)}-${String(turn)}`;
      try {
        const stored = await fetchOne(resources, target);
        const plan = updatePlan(stored, { body: { ...stored.body, [entry]: true } });
        const { kind } = await resources.write(SCOPE, plan);
        if (kind === "written") acknowledged.add(entry);
      } catch (error) {
        if (!(error instanceof ScimError) || error.status !== 503) throw error;
        refused += 1;
        await delay(20);
      }
    }
  }
  const writers = Array.from({ length: WRITERS }, async (_, writer) => keepWriting(writer));
  await until(() => acknowledged.size > 50);
  await server.restart();
  const before = acknowledged.size;
  await until(() => acknowledged.size > before + 50);
  load.isOver = true;
  await Promise.all(writers);

  const stored = await Promise.all(shared.map(async (target) => fetchOne(resources, target)));
  const found = stored.flatMap(({ body }) => Object.keys(body));
  // What was refused may have been written all the same; what was acknowledged was.
  expect(found).toEqual(expect.arrayContaining([...acknowledged]));
  expect(found.length - acknowledged.size).toBeLessThanOrEqual(refused);
  const revisions = await queryOnce(
    server.url,
    "SELECT sum(revision - 1)::integer AS n FROM resources WHERE type = 'Badge'",
  );
  expect(revisions).toEqual([{ n: found.length }]);
  const events = await queryOnce(
    server.url,
    "SELECT count(*)::integer AS n, count(DISTINCT version)::integer AS versions FROM events WHERE kind <> 'created'",
  );
  expect(events).toEqual([{ n: found.length, versions: found.length }]);
  const plan = createPlan({ type: "User", id: "u1", body: { userName: "anna" } });
  expect((await resources.write(SCOPE, plan)).kind).toBe("written");
  expect(await resources.read(SCOPE, plan, NOTHING)).toMatchObject({ id: "u1" });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(5);
}
