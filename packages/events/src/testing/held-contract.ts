/**
 * What every store does with changes that guards hold.
 * @module
 */
import { expectEqual } from "@scim/core/testing";
import { MOST_VALUES } from "../guard/removed-values.ts";
import {
  decision,
  type GuardRule,
  heldIds,
  heldOnce,
  minute,
  PLACE,
  refused,
  UNTOUCHED,
  wrote,
} from "./sample-guards.ts";

const TENANT = PLACE.tenant;
/** Something of another resource is held. */
const HOLDS = { ...UNTOUCHED, holds: true };
const HELD = { ...HOLDS, held: refused().removed };

/** Rules of held changes. */
export const HELD_RULES: readonly GuardRule[] = [
  {
    rule: "guard/held",
    name: "a change is held once for each resource, with how often it came and all that it would take out",
    run: async (open) => {
      const { guard } = await open();
      const first = refused();
      await guard.hold(first);
      expectEqual(await guard.held(TENANT, { limit: 9 }), [heldOnce(first)], "held");
      expectEqual(await guard.state(PLACE, first.resource), HELD, "of the resource");
      expectEqual(await guard.state(PLACE, "u2"), HOLDS, "of the place");
      const again = refused({
        id: "h9",
        last: minute(3),
        changes: [],
        removed: { values: ["b", "c"], count: 2 },
      });
      await guard.hold(again);
      const both = { ...heldOnce(first), last: minute(3), tries: 2, changes: [] };
      const removed = { values: ["a", "b", "c"], count: 3 };
      expectEqual(await guard.held(TENANT, { limit: 9 }), [{ ...both, removed }], "of both");
      const other = refused({ id: "h2", resource: "u2", removed: { values: ["z"], count: 1 } });
      await guard.hold(other);
      expectEqual(await guard.held(TENANT, { id: "h2", limit: 1 }), [heldOnce(other)], "of another resource");
      expectEqual(await guard.held(TENANT, { id: "h1", limit: 1 }), [{ ...both, removed }], "as it was");
    },
  },
  {
    rule: "guard/held",
    name: "changes of a resource that are refused at the same moment add up",
    run: async (open) => {
      const { guard } = await open();
      const values = ["a", "b", "c", "d", "e", "f", "g", "h"];
      // The first are held one after another where connections to a database are made one by one.
      const resources = ["u1", "u2", "u3", "u4"];
      for (const resource of resources) {
        const of = (value: string): Promise<void> =>
          guard.hold(
            refused({ id: `${resource}${value}`, resource, removed: { values: [value], count: 1 } }),
          );
        await Promise.all(values.map(of));
      }
      const held = await guard.held(TENANT, { limit: 99 });
      expectEqual(
        held.map(({ resource, tries, removed }) => [resource, tries, removed.values.toSorted()]),
        resources.map((resource) => [resource, values.length, values]),
        "of all of them",
      );
    },
  },
  {
    rule: "guard/held",
    name: "of the values that would go 100 are listed, and all that are kept are released",
    run: async (open) => {
      const { guard } = await open();
      const values = Array.from({ length: MOST_VALUES }, (_, at) => `m${at}`);
      const removed = { values, count: MOST_VALUES };
      await guard.hold(refused({ removed }));
      const [held] = await guard.held(TENANT, { limit: 9 });
      expectEqual(held?.removed, { values: values.slice(0, 100), count: MOST_VALUES }, "listed");
      await guard.release(TENANT, { id: "h1" }, decision(1));
      expectEqual((await guard.state(PLACE, "u1")).released, removed, "released");
    },
  },
  {
    rule: "guard/listed",
    name: "held changes are listed by id, of one connection or one id, page by page",
    run: async (open) => {
      const store = await open();
      const { guard } = store;
      for (const n of [3, 1, 2])
        await guard.hold(refused({ id: `h${n}`, resource: `u${n}`, last: minute(9 - n) }));
      await guard.hold(refused({ id: "h0", connection: "second" }));
      const ids = async (page: Parameters<typeof guard.held>[1]): Promise<readonly string[]> =>
        (await guard.held(TENANT, page)).map(({ id }) => id);
      expectEqual(await ids({ limit: 9 }), ["h0", "h1", "h2", "h3"], "all");
      expectEqual(await ids({ limit: 2 }), ["h0", "h1"], "a page");
      expectEqual(await ids({ limit: 2, after: "h1" }), ["h2", "h3"], "the next");
      expectEqual(await ids({ limit: 2, after: null }), ["h0", "h1"], "the first");
      expectEqual(
        await ids({ limit: 9, connection: PLACE.connection }),
        ["h1", "h2", "h3"],
        "of a connection",
      );
      expectEqual(await ids({ limit: 9, id: "h2" }), ["h2"], "of an id");
      expectEqual(await ids({ limit: 9, id: "h2", connection: "second" }), [], "of both");
      expectEqual(await heldIds(store, "south"), [], "of another tenant");
    },
  },
  {
    rule: "guard/released",
    name: "what is released is released once, one change or all of a connection",
    run: async (open) => {
      const { guard } = await open();
      for (const n of [1, 2, 3, 4]) await guard.hold(refused({ id: `h${n}`, resource: `u${n}` }));
      expectEqual(await guard.release(TENANT, { id: "h5" }, decision(1)), 0, "no such change");
      expectEqual(await guard.release(TENANT, { id: "h4" }, decision(1)), 1, "one");
      expectEqual(await guard.release(TENANT, { id: "h4" }, decision(2)), 0, "again");
      const { removed } = refused();
      expectEqual(
        await guard.state(PLACE, "u4"),
        { ...HOLDS, released: removed },
        "beside others that are held",
      );
      expectEqual(await guard.state(PLACE, "u2"), HELD, "of another resource");
      for (const id of ["h1", "h2"]) await guard.release(TENANT, { id }, decision(2));
      expectEqual(await guard.state(PLACE, "u9"), HOLDS, "one is held still");
      expectEqual(await guard.release(TENANT, { connection: PLACE.connection }, decision(3)), 1, "the rest");
      const held = await guard.held(TENANT, { limit: 9 });
      expectEqual(
        held.map(({ released }) => released),
        [minute(2), minute(2), minute(3), minute(1)],
        "when",
      );
      expectEqual(await guard.state(PLACE, "u2"), { ...UNTOUCHED, released: removed }, "nothing is held");
      expectEqual(await guard.state(PLACE, "u9"), UNTOUCHED, "of a resource of which nothing was");
    },
  },
  {
    rule: "guard/released",
    name: "a release stays where it is good for what is refused beside it, and ends where it is not",
    run: async (open) => {
      const { guard } = await open();
      const { removed } = refused();
      await guard.hold(refused());
      await guard.release(TENANT, { id: "h1" }, decision(1));
      await guard.hold(refused({ last: minute(2), removed: { values: ["a"], count: 1 } }));
      expectEqual(await guard.state(PLACE, "u1"), { ...UNTOUCHED, released: removed }, "a part of it");
      await guard.hold(refused({ last: minute(3), removed: { values: ["c"], count: 1 } }));
      const all = { values: ["a", "b", "c"], count: 3 };
      expectEqual(await guard.state(PLACE, "u1"), { ...HOLDS, held: all }, "another value");
      const [held] = await guard.held(TENANT, { limit: 9 });
      expectEqual([held?.tries, held?.removed.count, held?.released], [3, 3, null], "held anew");
    },
  },
  {
    rule: "guard/taken",
    name: "a release is used up change by change, and what nobody released stays",
    run: async (open) => {
      const store = await open();
      const { guard } = store;
      for (const n of [1, 2, 3]) await guard.hold(refused({ id: `h${n}`, resource: `u${n}` }));
      const take = (resource: string, values: readonly string[]): Promise<boolean> =>
        wrote(store, guard.taking(PLACE, resource, { values, count: values.length }));
      for (const values of [["b"], []]) await take("u1", values);
      expectEqual(await heldIds(store), ["h1", "h2", "h3"], "not released");
      expectEqual(
        (await guard.held(TENANT, { id: "h1", limit: 1 }))[0]?.removed,
        refused().removed,
        "as it was",
      );
      for (const id of ["h1", "h2"]) await guard.release(TENANT, { id }, decision(1));
      await take("u1", ["b"]);
      expectEqual((await guard.state(PLACE, "u1")).released, { values: ["b"], count: 1 }, "what is left");
      expectEqual((await guard.state(PLACE, "u2")).released, refused().removed, "of another resource");
      await take("u1", []);
      expectEqual(await heldIds(store), ["h2", "h3"], "nothing is left");
      expectEqual(await guard.state(PLACE, "u1"), HOLDS, "used up");
    },
  },
  {
    rule: "guard/passed",
    name: "what passes without a release is held no more, change by change, and what was released stays",
    run: async (open) => {
      const store = await open();
      const { guard } = store;
      for (const n of [1, 2, 3]) await guard.hold(refused({ id: `h${n}`, resource: `u${n}` }));
      const pass = (resource: string, values: readonly string[]): Promise<boolean> =>
        wrote(store, guard.passing(PLACE, resource, { values, count: values.length }));
      await guard.release(TENANT, { id: "h3" }, decision(1));
      for (const values of [["b"], []]) await pass("u3", values);
      expectEqual((await guard.state(PLACE, "u3")).released, refused().removed, "released");
      await pass("u1", ["b"]);
      const left = { values: ["b"], count: 1 };
      expectEqual(await guard.state(PLACE, "u1"), { ...HOLDS, held: left }, "what is left");
      expectEqual(await guard.state(PLACE, "u2"), HELD, "of another resource");
      await pass("u1", []);
      expectEqual(await heldIds(store), ["h2", "h3"], "nothing is left");
      expectEqual(await guard.state(PLACE, "u1"), HOLDS, "passed");
    },
  },
  {
    rule: "guard/gone",
    name: "of a resource that is deleted nothing is held any more, by whatever connection, released or not",
    run: async (open) => {
      const store = await open();
      const { guard } = store;
      const gone = { tenant: TENANT, type: PLACE.type, id: "u1" };
      await wrote(store, guard.forgetting(gone));
      await guard.hold(refused({ id: "h1" }));
      await guard.hold(refused({ id: "h2", connection: "another", measure: "deletions" }));
      await guard.hold(refused({ id: "h3", connection: "second", measure: "deactivations" }));
      await guard.release(TENANT, { id: "h2" }, decision(1));
      await guard.hold(refused({ id: "h4", resource: "u2" }));
      await guard.hold(refused({ id: "h5", type: "Group", connection: "second" }));
      await guard.hold(refused({ id: "h6", tenant: "south" }));
      await wrote(store, guard.forgetting(gone));
      expectEqual(
        [await heldIds(store), await heldIds(store, "south")],
        [["h4", "h5"], ["h6"]],
        "of other resources",
      );
    },
  },
  {
    rule: "guard/dismissed",
    name: "what is dismissed is forgotten; what was released goes by its id alone",
    run: async (open) => {
      const store = await open();
      const { guard } = store;
      for (const n of [1, 2, 3, 4]) await guard.hold(refused({ id: `h${n}`, resource: `u${n}` }));
      expectEqual(await guard.dismiss(TENANT, { id: "h5" }, decision(1)), 0, "no such change");
      expectEqual(await guard.dismiss(TENANT, { id: "h1" }, decision(1)), 1, "one");
      expectEqual(await guard.dismiss(TENANT, { id: "h1" }, decision(1)), 0, "again");
      for (const id of ["h2", "h3"]) await guard.release(TENANT, { id }, decision(1));
      expectEqual(await guard.dismiss(TENANT, { id: "h2" }, decision(1)), 1, "that was released");
      expectEqual(await guard.dismiss(TENANT, { connection: PLACE.connection }, decision(1)), 1, "the rest");
      expectEqual(await heldIds(store), ["h3"], "left");
      await guard.hold(refused({ id: "h6", resource: "u1", last: minute(5) }));
      const [, anew] = await guard.held(TENANT, { limit: 9 });
      expectEqual(anew, heldOnce(refused({ id: "h6", resource: "u1", last: minute(5) })), "anew");
    },
  },
  {
    rule: "guard/purged",
    name: "what was not sent again for long is forgotten, so much at a time, released or not",
    run: async (open) => {
      const store = await open();
      const { guard } = store;
      for (const n of [1, 2, 3, 4])
        await guard.hold(refused({ id: `h${n}`, resource: `u${n}`, last: minute(n) }));
      await guard.release(TENANT, { id: "h2" }, decision(9));
      await guard.hold(refused({ id: "h1", last: minute(7) }));
      expectEqual(await guard.purge(TENANT, minute(2), 9), 0, "nothing is so old");
      expectEqual([await guard.purge(TENANT, minute(4), 1), (await heldIds(store)).length], [1, 3], "one");
      expectEqual(
        [await guard.purge(TENANT, minute(4), 9), await heldIds(store)],
        [1, ["h1", "h4"]],
        "the rest",
      );
    },
  },
];
