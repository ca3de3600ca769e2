/**
 * An erasure finds whom nothing but the change feed tells of: events may be kept longer than the audit log.
 * @module
 */
import { assignAll, deletePlan, expectEqual, fetchOne, SCOPE, seed, updatePlan } from "@scim/core/testing";
import { purgeAudit } from "../audit/upkeep.ts";
import { eraseSubject } from "../erasure/erase.ts";
import { erasureOf } from "../erasure/erasure.ts";
import type { ErasureStore } from "../erasure/port.ts";
import { replayErasures } from "../erasure/replay.ts";
import { TENANT, upkeep } from "./audited-store.ts";
import { ANNA, AT, erasing, type ErasureRule } from "./sample-erasures.ts";
import { SAMPLE_KEYS } from "./sample-keys.ts";

const BO = { type: "User", id: "bo", body: { userName: "bo" } } as const;
const TEAM = { type: "Group", id: "team", body: { displayName: "Team" } } as const;

async function idsOf(erasures: ErasureStore): Promise<readonly string[]> {
  const ids = new Set<string>();
  for await (const some of erasures.ids(TENANT)) for (const id of some) ids.add(id);
  return [...ids].toSorted();
}

/** Rules of erasures of whom events tell. */
export const FEED_ERASURE_RULES: readonly ErasureRule[] = [
  {
    rule: "erasure/feed",
    name: "whom events alone tell of is known, and erased, by asking and by a list: the subject of a change as well",
    run: async (open) => {
      const store = await open();
      const { resources, events, erasures } = store;
      for (const each of [ANNA, BO, TEAM]) await seed(resources, [each]);
      const asked = updatePlan(await fetchOne(resources, TEAM), { body: { displayName: "The team" } });
      const origin = { address: "192.0.2.1" };
      await resources.write(SCOPE, { ...asked, event: { ...asked.event, subject: "boss", origin } });
      for (const each of [ANNA, BO])
        await resources.write(SCOPE, deletePlan(await fetchOne(resources, each)));
      await resources.purge("2099-01-01T00:00:00.000Z", 100);
      await assignAll(store, 6);
      await purgeAudit({ ...upkeep(store, 99_999), keep: 0 });
      expectEqual(await store.audit.read(TENANT, { after: 0, limit: 9 }), [], "audit log");
      expectEqual(await idsOf(erasures), [ANNA.id, BO.id, "boss", TEAM.id], "ids");
      for (const id of [ANNA.id, BO.id, "boss"]) {
        const subject = { tenant: TENANT, id };
        expectEqual(await erasures.isKnown(subject), true, id);
        expectEqual(await erasures.isKnown({ ...subject, tenant: "south" }), false, "elsewhere");
      }
      expectEqual((await eraseSubject(erasing(store), { tenant: TENANT, id: ANNA.id }))?.events, 2, "asking");
      const listed = [BO.id, "boss"].map((id) => erasureOf(SAMPLE_KEYS, { tenant: TENANT, id }, AT));
      expectEqual(await replayErasures(erasing(store), listed), 2, "list");
      const told = await events.read(TENANT, { after: 0, limit: 9 });
      expectEqual(
        told.map(({ id, before, after }) => (before ?? after) !== null && id),
        [false, false, TEAM.id, TEAM.id, false, false],
        "content",
      );
      expectEqual(told.find(({ subject }) => subject === "boss")?.origin ?? null, null, "origin");
    },
  },
  {
    rule: "erasure/feed-waiting",
    name: "whom events without position alone tell of is known",
    run: async (open) => {
      const store = await open();
      const { resources, erasures } = store;
      await seed(resources, [ANNA]);
      const asked = updatePlan(await fetchOne(resources, ANNA), { body: { userName: "anne" } });
      await resources.write(SCOPE, { ...asked, event: { ...asked.event, subject: "boss" } });
      expectEqual(await erasures.isKnown({ tenant: TENANT, id: "boss" }), true, "who asked for it");
      expectEqual(await erasures.isKnown({ tenant: TENANT, id: "nobody" }), false, "nobody");
      expectEqual(await idsOf(erasures), [ANNA.id, "boss"], "ids");
    },
  },
];
