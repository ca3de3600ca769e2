/**
 * An erasure takes what is of its subject, and of no other: of the tenant, or of its id elsewhere.
 * @module
 */
import {
  assignAll,
  createPlan,
  deletePlan,
  expectEqual,
  fetchOne,
  MEMBERS,
  type NewResource,
  NOTHING,
  SCOPE,
  seed,
  updatePlan,
} from "@scim/core/testing";
import type { FeedEvent } from "@scim/core";
import { statedEntry } from "../audit/entry.ts";
import { purgeAudit } from "../audit/upkeep.ts";
import { eraseSubject } from "../erasure/erase.ts";
import { placeUpTo, TENANT, upkeep } from "./audited-store.ts";
import { pseudonym } from "./audit-tenants.ts";
import { ANNA, AT, erasing, type ErasureRule, type ErasingStore } from "./sample-erasures.ts";

const SOUTH = { ...SCOPE, tenant: "south" };
const BOSS = { value: ANNA.id, displayName: "Anna A." };
const BO: NewResource = { type: "User", id: "bo", body: { userName: "bo", boss: BOSS } };
const TEAM: NewResource = {
  type: "Group",
  id: "team",
  body: { displayName: "Team" },
  members: [{ value: ANNA.id, rest: { display: "Anna A." } }],
};
/** It refers by attributes that stand beside its own, and not by a complex one. */
const BADGE: NewResource = {
  type: "Badge",
  id: "badge",
  body: { value: ANNA.id, number: "7", "urn:example:Door": { value: ANNA.id, room: "2" } },
};
/** Where the store keeps what is deleted, a deleted resource of the type and the id of the subject is here. */
const WEST = { ...SCOPE, tenant: "west" };
const GONE = { type: "User", id: "gone", body: { userName: "gone" } } as const;

/** What is kept of the others in a tenant. */
async function othersOf({ resources, erasures }: ErasingStore, tenant: string): Promise<unknown> {
  const scope = { ...SCOPE, tenant };
  const target = { type: "User", id: ANNA.id } as const;
  return [
    (await resources.read(scope, target, NOTHING))?.created,
    await resources.read(scope, BO, NOTHING),
    [...((await resources.read(scope, TEAM, MEMBERS))?.collections ?? [])],
    (await resources.deleted?.read(WEST, ANNA)) ?? null,
    await erasures.liveTypes({ tenant, id: ANNA.id }),
  ];
}

function eventsOf({ events }: ErasingStore): Promise<readonly FeedEvent[]> {
  return events.read(SOUTH.tenant, { after: 0, limit: 100 });
}

/** Rules of erasures beside each other. */
export const APART_ERASURE_RULES: readonly ErasureRule[] = [
  {
    rule: "erasure/apart",
    name: "a subject of the same id in another tenant keeps all that it has, and so do others of the tenant",
    run: async (open) => {
      const store = await open();
      const { resources, erasures } = store;
      for (const scope of [SCOPE, SOUTH]) {
        for (const each of [ANNA, BO, TEAM, GONE]) await seed(resources, [each], scope);
        const gone = await resources.read(scope, GONE, NOTHING);
        if (gone !== null) await resources.write(scope, deletePlan(gone));
      }
      await seed(resources, [ANNA], WEST);
      const grave = await resources.read(WEST, ANNA, NOTHING);
      if (grave !== null) await resources.write(WEST, deletePlan(grave));
      await assignAll(store, 12);
      const south = { tenant: SOUTH.tenant, id: ANNA.id };
      const hashed = await pseudonym(store, south, 9);
      const [kept, told] = [await othersOf(store, SOUTH.tenant), await eventsOf(store)];
      const twin = await resources.read(SOUTH, { type: "User", id: ANNA.id }, NOTHING);
      if (twin === null) throw new TypeError("There is another");
      await resources.write(SOUTH, updatePlan(twin, { body: { ...twin.body, title: "Dr" } }));

      await eraseSubject(erasing(store), { tenant: TENANT, id: ANNA.id });
      const others = resources.deleted === undefined ? null : GONE.id;
      expectEqual(
        (await resources.deleted?.read(SCOPE, GONE))?.id ?? null,
        others,
        "another that is deleted",
      );
      await placeUpTo(store, { ...south, type: "User" });
      const [last, ...earlier] = (await eventsOf(store)).toReversed();
      expectEqual(last?.after?.["title"], "Dr", "an event that had no position");
      expectEqual(earlier.toReversed(), told, "events of the other tenant");
      expectEqual(await othersOf(store, SOUTH.tenant), kept, "the other tenant");
      const taken = createPlan({ type: "User", id: "new", body: ANNA.body });
      expectEqual((await resources.write(SOUTH, taken)).kind, "duplicate", "its unique values");
      expectEqual(await pseudonym(store, south, 10), hashed, "its secret");
      for (const id of ["bo", "nobody"])
        expectEqual(await erasures.isKnown({ tenant: WEST.tenant, id }), false, "nobody is known elsewhere");
      expectEqual(await erasures.liveTypes({ tenant: WEST.tenant, id: "bo" }), [], "nor lives there");
    },
  },
  {
    rule: "erasure/copies",
    name: "what others hold of a subject beside its id goes, and they get a new version; who asked for it is not told any more",
    run: async (open) => {
      const store = await open();
      const { resources, events } = store;
      for (const each of [ANNA, BO, TEAM, BADGE]) await seed(resources, [each]);
      const team = await fetchOne(resources, { type: "Group", id: "team" });
      const bo = await fetchOne(resources, { type: "User", id: "bo" });
      const asked = updatePlan(team, { body: { displayName: "The team" } });
      const origin = { address: "192.0.2.1" };
      await resources.write(SCOPE, { ...asked, event: { ...asked.event, subject: ANNA.id, origin } });
      await assignAll(store, 5);
      const before = await fetchOne(resources, { type: "Group", id: "team" });
      const report = await eraseSubject(erasing(store), { tenant: TENANT, id: ANNA.id });
      expectEqual(report?.copies, 2, "copies");
      const after = await fetchOne(resources, { type: "Group", id: "team" }, MEMBERS);
      const left = (after.collections.get("members") ?? []).filter(({ rest }) => "display" in rest);
      expectEqual(left, [], "beside the member");
      expectEqual(after.version === before.version, false, "version of the group");
      const now = await fetchOne(resources, { type: "User", id: "bo" });
      expectEqual(now.body, { userName: "bo", boss: { value: ANNA.id } }, "beside the reference");
      expectEqual(now.version === bo.version, false, "version of who refers");
      expectEqual((await fetchOne(resources, BADGE)).body, BADGE.body, "beside an attribute of the resource");
      const told = await events.read(TENANT, { after: 0, limit: 100 });
      const badge = told.filter(({ id }) => id === BADGE.id).map(({ after: image }) => image);
      expectEqual(badge, [BADGE.body], "in its event");
      expectEqual(
        told.filter((event) => JSON.stringify(event).includes("Anna A.")),
        [],
        "events",
      );
      expectEqual(
        told.filter((event) => event.origin?.address === origin.address),
        [],
        "origins",
      );
      const { entries } = await store.audit.find(TENANT, { after: 0, limit: 9, type: "Group", id: "team" });
      expectEqual(
        entries.map((entry) => statedEntry(entry)?.origin?.address ?? null),
        [null, origin.address],
        "in the audit log, whose chain covers them",
      );
    },
  },
  {
    rule: "erasure/ids",
    name: "all ids of a tenant are told: who is live, deleted, only in the audit log, or whose erasure has begun, whatever events are kept",
    run: async (open) => {
      const store = await open();
      const { resources, events, erasures } = store;
      for (const each of [ANNA, GONE]) await seed(resources, [each]);
      await seed(resources, [{ type: "User", id: "other", body: { userName: "other" } }], SOUTH);
      await resources.write(SCOPE, deletePlan(await fetchOne(resources, GONE)));
      await assignAll(store, 4);
      await purgeAudit({ ...upkeep(store, 99_999), keep: 0 });
      const audited = { type: "User", id: "audited", body: { userName: "audited" } } as const;
      await seed(resources, [audited]);
      const early = deletePlan(await fetchOne(resources, audited), "2026-01-01T00:00:00.000Z");
      await resources.write(SCOPE, early);
      await resources.purge("2026-01-02T00:00:00.000Z", 100);
      await assignAll(store, 2);
      await events.purge("2099-01-01T00:00:00.000Z", 100);
      for (const id of ["begun", "ended"]) await erasures.begin({ tenant: TENANT, id }, AT);
      await erasures.end({ tenant: TENANT, id: "ended" }, AT);
      await erasures.tidy(TENANT, "2026-03-02T00:00:00.000Z");
      const ids = new Set<string>();
      for await (const some of erasures.ids(TENANT)) for (const id of some) ids.add(id);
      const deleted = resources.deleted === undefined ? [] : ["gone"];
      expectEqual([...ids].toSorted(), ["anna", "audited", "begun", ...deleted].toSorted(), "ids");
      expectEqual(await erasures.isKnown({ tenant: TENANT, id: "ended" }), false, "whose erasure is over");
      expectEqual(
        await erasures.begun(TENANT, "2027-01-01T00:00:00.000Z"),
        [{ tenant: TENANT, id: "begun" }],
        "begun",
      );
      await eraseSubject(erasing(store), { tenant: TENANT, id: "anna" });
      await erasures.tidy(TENANT, "2099-01-01T00:00:00.000Z");
      await assignAll(store, 2);
      await events.purge("2099-01-01T00:00:00.000Z", 100);
      expectEqual(await erasures.isKnown({ tenant: TENANT, id: "anna" }), true, "in the audit log");
    },
  },
];
