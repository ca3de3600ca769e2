/**
 * What every store's erasures must do, as data without a test runner.
 * @module
 */
import {
  assignAll,
  expectEqual,
  fetchOne,
  interposed,
  restorePlan,
  SCOPE,
  seed,
  updatePlan,
} from "@scim/core/testing";
import { statedEntry } from "../audit/entry.ts";
import { verifyAudit } from "../audit/verify.ts";
import { type Erasing, eraseSubject } from "../erasure/erase.ts";
import { type Erasure, erasureOf } from "../erasure/erasure.ts";
import type { ErasureStore } from "../erasure/port.ts";
import { replayErasures } from "../erasure/replay.ts";
import { endErasures } from "../erasure/upkeep.ts";
import { TENANT } from "./audited-store.ts";
import { FEED_ERASURE_RULES } from "./erasure-feed.ts";
import { APART_ERASURE_RULES } from "./erasure-tenants.ts";
import { TYPED_ERASURE_RULES } from "./erasure-types.ts";
import { ANNA, AT, erasing, type ErasureRule, type ErasingStore, ORIGIN } from "./sample-erasures.ts";
import { SAMPLE_KEYS } from "./sample-keys.ts";

async function* tenantsOf(...names: readonly string[]): AsyncGenerator<string, void, undefined> {
  yield* names;
}

/** A user who came and was changed, and a group that shows her name. */
async function addAnna({ resources }: ErasingStore): Promise<void> {
  const bo = { type: "User", id: "bo", body: { userName: "bo" } } as const;
  const team = { type: "Group", id: "team", body: { displayName: "Team" }, members: ["anna", "bo"] } as const;
  // One after another: their events come in this order.
  for (const each of [ANNA, bo, team]) await seed(resources, [each]);
  const stored = await fetchOne(resources, ANNA);
  await resources.write(SCOPE, updatePlan(stored, { body: { userName: "anne" } }));
}

/** The contract of a store's erasures. */
export const ERASURE_CONTRACT: readonly ErasureRule[] = [
  {
    rule: "erasure/rows",
    name: "a subject's row, the content of its events and its secret go; others stay, and the chain holds",
    run: async (open) => {
      const store = await open();
      await addAnna(store);
      await assignAll(store, 4);
      const before = await store.audit.read(TENANT, { after: 0, limit: 9 });
      const notes: Erasure[] = [];
      const report = await eraseSubject(erasing(store, notes), { tenant: TENANT, id: "anna" });
      expectEqual([report?.resources, report?.events, report?.secrets], [1, 2, 1], "report");
      expectEqual(notes, [erasureOf(SAMPLE_KEYS, { tenant: TENANT, id: "anna", type: "User" }, AT)], "note");
      // The deletion, and the act in the trail of administration.
      await assignAll(store, 2);
      const events = await store.events.read(TENANT, { after: 0, limit: 9 });
      expectEqual(
        events.map(({ id, after, changed }) => [
          id,
          after?.["userName"] ?? null,
          id === "anna" && changed.length,
        ]),
        [
          ["anna", null, 0],
          ["bo", "bo", false],
          ["team", null, false],
          ["anna", null, 0],
          ["anna", null, 0],
        ],
        "events",
      );
      const entries = await store.audit.read(TENANT, { after: 0, limit: 9 });
      expectEqual(entries.slice(0, 4), before, "entries");
      expectEqual(
        entries.slice(4).map((entry) => statedEntry(entry)?.changes),
        [[]],
        "of the deletion",
      );
      const { faults } = await verifyAudit(TENANT, {
        ...SAMPLE_KEYS,
        audit: store.audit,
        events: store.events,
      });
      expectEqual(faults, [], "faults");
      expectEqual(await eraseSubject(erasing(store), { tenant: TENANT, id: "nobody" }), null, "nobody");
      expectEqual(await eraseSubject(erasing(store), { tenant: "south", id: "anna" }), null, "elsewhere");
      const again = await eraseSubject(erasing(store), { tenant: TENANT, id: "anna" });
      expectEqual([again?.resources, again?.events, again?.secrets], [0, 0, 0], "again");
    },
  },
  {
    rule: "erasure/waiting",
    name: "what has no position yet is never hashed",
    run: async (open) => {
      const store = await open();
      await addAnna(store);
      await eraseSubject(erasing(store), { tenant: TENANT, id: "anna" });
      // One by one: a store may make the entry of what was written a moment ago without reading it.
      for (let given = 0; given < 6;) given += await store.events.assign(1);
      const { type, id } = ANNA;
      const { entries } = await store.audit.find(TENANT, { after: 0, limit: 9, type, id });
      expectEqual(
        entries.map((entry) => statedEntry(entry)?.changes),
        [[], [], []],
        "changes",
      );
    },
  },
  {
    rule: "erasure/waiting-copies",
    name: "what others tell of a subject goes from events that have no position yet, too",
    run: async (open) => {
      const store = await open();
      const { resources, events } = store;
      const boss = { value: "anna", displayName: "Anna A." };
      const bo = { type: "User", id: "bo", body: { userName: "bo", boss } } as const;
      for (const each of [ANNA, bo]) await seed(resources, [each]);
      const asked = updatePlan(await fetchOne(resources, bo), { body: { userName: "bob", boss } });
      const origin = { address: "192.0.2.1" };
      await resources.write(SCOPE, { ...asked, event: { ...asked.event, subject: "anna", origin } });
      await eraseSubject(erasing(store), { tenant: TENANT, id: "anna" });
      await assignAll(store, 5);
      const told = await events.read(TENANT, { after: 0, limit: 9 });
      expectEqual(
        told.map(({ id, subject, before, after, ...event }) => [
          id,
          before?.["boss"] ?? null,
          after?.["boss"] ?? null,
          subject === "anna" && event.origin,
        ]),
        [
          ["anna", null, null, false],
          ["bo", null, { value: "anna" }, false],
          ["bo", { value: "anna" }, { value: "anna" }, null],
          ["anna", null, null, false],
        ],
        "events",
      );
    },
  },
  {
    rule: "erasure/restored",
    name: "who is restored between deletion and removal is deleted once more, and nothing brings her back",
    run: async (open) => {
      const store = await open();
      await addAnna(store);
      const { resources, erasures } = store;
      const deletions: string[] = [];
      const erased = erasing(store);
      const remove: Erasing["remove"] = async (subject, type) => {
        await erased.remove(subject, type);
        deletions.push(subject.id);
        const kept = deletions.length > 2 ? null : await resources.deleted?.read(SCOPE, ANNA);
        if (kept !== null && kept !== undefined) await resources.write(SCOPE, restorePlan(kept));
      };
      const subject = { tenant: TENANT, id: "anna" };
      const report = await eraseSubject({ ...erased, remove }, subject);
      expectEqual(deletions.length, resources.deleted === undefined ? 1 : 3, "deletions");
      expectEqual(report?.resources, 1, "resources");
      expectEqual(await erasures.liveTypes(subject), [], "live");
      expectEqual((await resources.deleted?.read(SCOPE, ANNA)) ?? null, null, "deleted");
    },
  },
  {
    rule: "erasure/half-way",
    name: "whose erasure ended half-way is known until it is done, and the list ends it",
    run: async (open) => {
      const store = await open();
      await addAnna(store);
      await assignAll(store, 4);
      const subject = { tenant: TENANT, id: "anna" };
      const notes: Erasure[] = [];
      const late: boolean[] = [];
      const eraseLate: ErasureStore["eraseLate"] = async (order) => {
        late.push(true);
        if (late.length === 1) throw new TypeError("killed");
        return store.erasures.eraseLate(order);
      };
      const erased = { ...erasing(store, notes), erasures: interposed(store.erasures, { eraseLate }) };
      const end = await eraseSubject(erased, subject).catch((error: unknown) => String(error));
      expectEqual(end, "TypeError: killed", "end");
      // Nothing else tells of her by now.
      await assignAll(store, 1);
      await store.events.purge("2099-01-01T00:00:00.000Z", 100);
      expectEqual(await store.erasures.isKnown(subject), true, "known");
      expectEqual([await replayErasures(erased, notes), late.length], [1, 2], "replayed");
      expectEqual([await replayErasures(erased, notes), late.length], [0, 2], "again");
    },
  },
  {
    rule: "erasure/unended",
    name: "what ended half-way is done again once it is an hour old, wherever it ended; others are not held up by one that fails",
    run: async (open) => {
      const store = await open();
      await addAnna(store);
      await assignAll(store, 4);
      const { erasures } = store;
      const anna = { tenant: TENANT, id: "anna" };
      const killed = async (): Promise<never> => {
        throw new TypeError("killed");
      };
      const later = (hours: number) => () => Date.parse(AT) + hours * 3_600_000;
      const failures: unknown[] = [];
      const ended = (hours: number, own: Partial<Erasing> = {}): Promise<number> =>
        endErasures({
          erasing: { ...erasing(store), ...own },
          tenants: tenantsOf("south", TENANT),
          now: later(hours),
          isStopped: () => false,
          onError: (error) => failures.push(error),
        });
      const steps = ["begin", "erase", "eraseLate", "add", "end"] as const;
      const counts: unknown[] = [];
      for (const step of steps) {
        const cut = { ...erasing(store), erasures: interposed(erasures, { [step]: killed }) };
        await eraseSubject(cut, anna).catch((error: unknown) => failures.push(error));
        counts.push([await ended(0.9), await ended(1.1), await ended(1.1)]);
      }
      expectEqual(
        counts,
        steps.map((step) => (step === "begin" ? [0, 0, 0] : [0, 1, 0])),
        "ended",
      );
      expectEqual(failures.map(String), Array(steps.length).fill("TypeError: killed"), "killed");
      expectEqual(await erasures.liveTypes(anna), [], "live");
      expectEqual((await erasures.list(TENANT, "", 9)).length, 1, "listed");
      for (const id of ["anna", "gone"]) await erasures.begin({ tenant: TENANT, id }, AT);
      expectEqual(await erasures.begun(TENANT, AT), [], "begun at the instant");
      const note = async ({ subject }: Erasure): Promise<void> => {
        if (subject === erasureOf(SAMPLE_KEYS, { ...anna, type: "User" }, AT).subject) await killed();
      };
      expectEqual([await ended(1.1, { note }), failures.length], [1, steps.length + 1], "beside a failure");
      expectEqual(
        (await erasures.begun(TENANT, "2027-01-01T00:00:00.000Z")).map(({ id }) => id),
        ["anna"],
        "begun",
      );
      expectEqual(await erasures.begun("south", "2027-01-01T00:00:00.000Z"), [], "of another tenant");
    },
  },
  {
    rule: "erasure/list",
    name: "a list erases again whom a database knows that lacks the entry, and is kept by subject",
    run: async (open) => {
      const store = await open();
      await addAnna(store);
      await assignAll(store, 4);
      const { erasures } = store;
      const listed = ["anna", "nobody"].map((id) => erasureOf(SAMPLE_KEYS, { tenant: TENANT, id }, AT));
      expectEqual(await replayErasures(erasing(store), listed), 2, "replayed");
      expectEqual(await erasures.liveTypes({ tenant: TENANT, id: "anna" }), [], "live");
      expectEqual(await replayErasures(erasing(store), listed), 0, "again");
      const [first, second] = listed.toSorted((one, other) => (one.subject < other.subject ? -1 : 1));
      if (first === undefined || second === undefined) throw new TypeError("There are two entries");
      expectEqual(await erasures.list(TENANT, "", 9), [first, second], "list");
      expectEqual(await erasures.list(TENANT, first.subject, 1), [second], "page");
      expectEqual(await erasures.list(TENANT, "", 1), [first], "first page");
      expectEqual(await erasures.list("south", "", 9), [], "of another tenant");
      expectEqual(await erasures.has({ ...first, tenant: "south" }), false, "nor has that one any");
      const newer = { ...first, at: "2027-01-01T00:00:00.000Z" };
      expectEqual(await erasures.has(newer), false, "a newer one");
      await erasures.add(newer, ORIGIN);
      expectEqual([await erasures.has(newer), await erasures.has(first)], [true, true], "both");
      await erasures.add(first, ORIGIN);
      expectEqual(await erasures.list(TENANT, "", 9), [newer, second], "by subject, the newer of each");
    },
  },
  ...APART_ERASURE_RULES,
  ...FEED_ERASURE_RULES,
  ...TYPED_ERASURE_RULES,
];
