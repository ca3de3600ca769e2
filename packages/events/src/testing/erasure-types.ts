/**
 * An id that resources of several types have: databases hold such ids that took them over from a service which counts the
 * resources of each type by themselves.
 * @module
 */
import {
  assignAll,
  deletePlan,
  expectEqual,
  interposed,
  MEMBERS,
  NOTHING,
  SCOPE,
  seed,
} from "@scim/core/testing";
import { isScimError } from "@scim/schemas";
import { purgeAudit } from "../audit/upkeep.ts";
import { eraseSubject } from "../erasure/erase.ts";
import { type Erasure, erasureOf, SubjectOfSeveralTypes } from "../erasure/erasure.ts";
import { replayErasures } from "../erasure/replay.ts";
import { endErasures } from "../erasure/upkeep.ts";
import { TENANT, upkeep } from "./audited-store.ts";
import { ANNA, AT, erasing, type ErasureRule, type ErasingStore } from "./sample-erasures.ts";
import { SAMPLE_KEYS } from "./sample-keys.ts";

const TWIN = { type: "Group", id: ANNA.id, body: { displayName: "Twin" } } as const;
const USER = { tenant: TENANT, id: ANNA.id, type: "User" };
const GROUP = { ...USER, type: "Group" };
const UNTOLD = { tenant: TENANT, id: ANNA.id };

async function addBoth({ resources }: ErasingStore, tenant: string = TENANT): Promise<void> {
  for (const each of [ANNA, TWIN]) await seed(resources, [each], { ...SCOPE, tenant });
}

/** The types in which the id is live. */
function live({ erasures }: ErasingStore, tenant: string = TENANT): Promise<readonly string[]> {
  return erasures.liveTypes({ ...UNTOLD, tenant }).then((types) => types.toSorted());
}

/** Of which types the error says that they have the id; null where it is another, or none. */
async function refusedFor(work: Promise<unknown>): Promise<readonly string[] | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof SubjectOfSeveralTypes) return error.types;
    throw error;
  }
}

/** Rules of erasures of one of several resources that have an id. */
export const TYPED_ERASURE_RULES: readonly ErasureRule[] = [
  {
    rule: "erasure/types",
    name: "an id of several types is erased of the one that is named, and of none where none is",
    run: async (open) => {
      const store = await open();
      const { resources, events, erasures } = store;
      await addBoth(store);
      await assignAll(store, 2);
      const notes: Erasure[] = [];
      expectEqual(
        await refusedFor(eraseSubject(erasing(store, notes), UNTOLD)),
        ["Group", "User"],
        "refused",
      );
      expectEqual([await live(store), notes], [["Group", "User"], []], "nothing is done");
      expectEqual(
        await eraseSubject(erasing(store), { ...USER, type: "Device" }),
        null,
        "a type that is not there",
      );
      const twin = await resources.read(SCOPE, TWIN, MEMBERS);
      const report = await eraseSubject(erasing(store, notes), USER);
      expectEqual([report?.resources, report?.events, report?.secrets], [1, 1, 1], "report");
      expectEqual(notes, [erasureOf(SAMPLE_KEYS, USER, AT)], "note");
      expectEqual(
        [await live(store), await resources.read(SCOPE, TWIN, MEMBERS)],
        [["Group"], twin],
        "the other",
      );
      const told = await events.read(TENANT, { after: 0, limit: 9 });
      expectEqual(
        told.filter(({ after }) => after !== null).map(({ type }) => type),
        ["Group"],
        "events",
      );
      expectEqual([await erasures.isKnown(USER), await erasures.isKnown(GROUP)], [true, true], "known");
      await eraseSubject(erasing(store), GROUP);
      expectEqual(await live(store), [], "both");
    },
  },
  {
    rule: "erasure/types-before",
    name: "a live resource is not erased in the place of a deleted one of its id, as long as anything tells of that",
    run: async (open) => {
      const store = await open();
      const { resources } = store;
      await addBoth(store);
      const anna = await resources.read(SCOPE, ANNA, NOTHING);
      if (anna !== null) await resources.write(SCOPE, deletePlan(anna));
      const refused = async (when: string): Promise<void> => {
        expectEqual(await refusedFor(eraseSubject(erasing(store), UNTOLD)), ["Group", "User"], when);
        expectEqual(await live(store), ["Group"], when);
      };
      await refused("deleted");
      await resources.purge("2099-01-01T00:00:00.000Z", 100);
      await assignAll(store, 3);
      await refused("in the audit log");
      await purgeAudit({ ...upkeep(store, 99_999), keep: 0 });
      await refused("in events");
      expectEqual((await eraseSubject(erasing(store), USER))?.events, 2, "events of the person");
      expectEqual(await live(store), ["Group"], "live");
    },
  },
  {
    rule: "erasure/types-list",
    name: "a list erases the resource that it was made of, and not another of the id; what tells no type waits for one",
    run: async (open) => {
      const store = await open();
      const { erasures } = store;
      await addBoth(store);
      await addBoth(store, "south");
      const [typed, untyped] = [
        erasureOf(SAMPLE_KEYS, USER, AT),
        erasureOf(SAMPLE_KEYS, { ...UNTOLD, tenant: "south" }, AT),
      ];
      expectEqual(
        await refusedFor(replayErasures(erasing(store), [untyped, typed])),
        ["Group", "User"],
        "refused",
      );
      expectEqual([await live(store), await live(store, "south")], [["Group"], ["Group", "User"]], "live");
      expectEqual([await erasures.has(typed), await erasures.has(untyped)], [true, false], "listed");
      await eraseSubject(erasing(store), { ...USER, tenant: "south" });
      expectEqual(await replayErasures(erasing(store), [untyped, typed]), 1, "behind the erasure of one");
      expectEqual([await live(store, "south"), await erasures.has(untyped)], [["Group"], true], "the other");
    },
  },
  {
    rule: "erasure/types-half-way",
    name: "what ended half-way is ended of the resource that it was begun of; another of the id waits until then",
    run: async (open) => {
      const store = await open();
      const { erasures } = store;
      await addBoth(store);
      const killed = async (): Promise<never> => {
        throw new TypeError("killed");
      };
      const cut = { ...erasing(store), erasures: interposed(erasures, { eraseLate: killed }) };
      const refusal = await eraseSubject(cut, USER).catch((error: unknown) => String(error));
      expectEqual(refusal, "TypeError: killed", "killed");
      expectEqual(await erasures.begun(TENANT, "2027-01-01T00:00:00.000Z"), [USER], "begun");
      const other = await eraseSubject(erasing(store), GROUP).catch((error: unknown) => error);
      expectEqual(isScimError(other) && other.code, "unavailable", "another of the id");
      const ended = await endErasures({
        erasing: erasing(store),
        tenants: (async function* () {
          yield TENANT;
        })(),
        now: () => Date.parse(AT) + 2 * 3_600_000,
        isStopped: () => false,
        onError: (error) => {
          throw error;
        },
      });
      expectEqual([ended, await live(store)], [1, ["Group"]], "ended");
      await eraseSubject(erasing(store), GROUP);
      expectEqual(await live(store), [], "the other");
    },
  },
];
