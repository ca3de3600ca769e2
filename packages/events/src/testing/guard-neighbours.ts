/**
 * What is counted and held at a place concerns no other.
 * @module
 */
import { expectEqual } from "@scim/core/testing";
import type { GuardPlace } from "../guard/port.ts";
import {
  BESIDE,
  counted,
  decision,
  type GuardedStore,
  type GuardRule,
  heldOnce,
  minute,
  PLACE,
  refused,
  UNTOUCHED,
  wrote,
} from "./sample-guards.ts";

/** What is done at a place where one was counted, and a change held that is released or not. */
interface Deed {
  readonly what: string;
  /** What else it is meant for: all of a connection, or of a tenant. */
  readonly reaches?: (place: GuardPlace) => boolean;
  readonly isReleased?: true;
  readonly done: (store: GuardedStore) => Promise<unknown>;
}

const { tenant, connection } = PLACE;
const ofConnection = (place: GuardPlace): boolean =>
  place.tenant === tenant && place.connection === connection;
const LEFT = { values: ["b"], count: 1 };

const DEEDS: readonly Deed[] = [
  { what: "counted", done: (store) => counted(store, { by: 5, minutes: 1 }) },
  { what: "counted anew", done: (store) => counted(store, { by: 5, minutes: 90, isTold: true }) },
  { what: "told", done: ({ guard }) => guard.tell(PLACE, minute(0)) },
  {
    what: "held",
    done: ({ guard }) => guard.hold(refused({ last: minute(9), removed: { values: ["z"], count: 1 } })),
  },
  {
    what: "taken in part",
    isReleased: true,
    done: (store) => wrote(store, store.guard.taking(PLACE, "u1", LEFT)),
  },
  {
    what: "taken",
    isReleased: true,
    done: (store) => wrote(store, store.guard.taking(PLACE, "u1", { values: [], count: 0 })),
  },
  { what: "passed in part", done: (store) => wrote(store, store.guard.passing(PLACE, "u1", LEFT)) },
  {
    what: "passed",
    done: (store) => wrote(store, store.guard.passing(PLACE, "u1", { values: [], count: 0 })),
  },
  { what: "released", done: ({ guard }) => guard.release(tenant, { id: "h" }, decision(1)) },
  { what: "dismissed", done: ({ guard }) => guard.dismiss(tenant, { id: "h" }, decision(1)) },
  {
    what: "released with its connection",
    reaches: ofConnection,
    done: ({ guard }) => guard.release(tenant, { connection }, decision(1)),
  },
  {
    what: "dismissed with its connection",
    reaches: ofConnection,
    done: ({ guard }) => guard.dismiss(tenant, { connection }, decision(1)),
  },
  {
    what: "purged",
    reaches: (place) => place.tenant === tenant,
    done: ({ guard }) => guard.purge(tenant, minute(60), 99),
  },
];

const DEED_RULES: readonly GuardRule[] = DEEDS.map(({ what, reaches, isReleased, done }) => ({
  rule: "guard/apart",
  name: `what is ${what} leaves other places alone`,
  run: async (open) => {
    const store = await open();
    const { guard } = store;
    for (const [index, place] of [PLACE, ...BESIDE].entries()) {
      // Ids are told apart within a tenant.
      const id = place.tenant === tenant && index > 0 ? `h${index}` : "h";
      await counted(store, place);
      await guard.hold(refused({ ...place, id }));
      if (isReleased === true) await guard.release(place.tenant, { id }, decision(0));
    }
    const look = async (place: GuardPlace): Promise<unknown> => ({
      state: await guard.state(place, "u1"),
      held: (await guard.held(place.tenant, { connection: place.connection, limit: 99 })).filter(
        ({ measure, type }) => measure === place.measure && type === place.type,
      ),
    });
    const apart = BESIDE.filter((place) => reaches?.(place) !== true);
    const before = await Promise.all([PLACE, ...apart].map(look));
    await done(store);
    const [here, ...others] = await Promise.all([PLACE, ...apart].map(look));
    expectEqual(others, before.slice(1), "other places");
    expectEqual(JSON.stringify(here) === JSON.stringify(before[0]), false, "the place is as it was");
  },
}));

/** Rules of what is beside a place. */
export const APART_GUARD_RULES: readonly GuardRule[] = [
  {
    rule: "guard/apart",
    name: "a place tells nothing of what is counted, held and released at others",
    run: async (open) => {
      for (const place of BESIDE) {
        const store = await open();
        const { guard } = store;
        await counted(store, {});
        await guard.hold(refused({ id: "h" }));
        expectEqual(await guard.state(place, "u1"), UNTOUCHED, "counted and held");
        await guard.release(tenant, { id: "h" }, decision(1));
        expectEqual(await guard.state(place, "u1"), UNTOUCHED, "released");
        const other = refused({ ...place, id: "other", removed: { values: ["z"], count: 1 } });
        await guard.hold(other);
        expectEqual(
          await guard.held(place.tenant, { id: "other", limit: 1 }),
          [heldOnce(other)],
          "of its own",
        );
      }
    },
  },
  ...DEED_RULES,
];
