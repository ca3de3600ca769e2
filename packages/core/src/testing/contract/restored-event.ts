/**
 * How a restoration is told.
 * @module
 */
import { replayEvents } from "../replay.ts";
import { ContractViolation, expectEqual } from "./expect.ts";
import { assignAll, readAll } from "./positions.ts";
import type { EventFeedRule } from "./rule.ts";
import { AT, deletePlan, fetchOne, restorePlan, SCOPE, seed } from "./sample.ts";

const GROUP = { type: "Group", id: "g1", body: { displayName: "one" }, members: ["b", "a"] } as const;
const ORIGIN = { admin: "Zoë", credential: "c-1" } as const;

/** Of stores that keep what is deleted; of others it asks nothing. */
export const RESTORED_RULE: EventFeedRule = {
  rule: "event/restored",
  name: "a restoration is told as created, with the version before, its JSON and what comes back of its collections",
  run: async (open) => {
    const store = await open();
    const { resources } = store;
    if (resources.deleted === undefined) return;
    await seed(resources, [GROUP]);
    await resources.write(SCOPE, deletePlan(await fetchOne(resources, GROUP)));
    const kept = await resources.deleted.read(SCOPE, GROUP);
    if (kept === null) throw new ContractViolation("reading what was deleted", kept, "a resource");
    const returning = [{ path: "members", removed: [], added: ["b", "a"] }];
    const plan = restorePlan(kept, { returning });
    await resources.write(SCOPE, { ...plan, event: { ...plan.event, origin: ORIGIN } });
    await assignAll(store, 3);
    const told = await readAll(store);
    const { version } = await fetchOne(resources, GROUP);
    expectEqual(
      told.at(-1),
      {
        position: 3,
        at: AT,
        connection: SCOPE.connection,
        subject: null,
        origin: ORIGIN,
        kind: "created",
        type: "Group",
        id: "g1",
        version,
        versionBefore: kept.version,
        changed: ["displayName"],
        before: null,
        after: GROUP.body,
        collections: returning,
      },
      "event",
    );
    const replayed = replayEvents(told).get("Group/g1");
    expectEqual(replayed?.version, version, "the version that events lead to");
    expectEqual(replayed?.collections.get("members"), ["b", "a"], "the members that events lead to");
  },
};
