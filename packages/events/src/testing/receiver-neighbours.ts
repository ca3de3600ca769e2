/**
 * What is done to a receiver is done to it alone.
 * @module
 */
import { expectEqual } from "@scim/core/testing";
import type { ReceiverName } from "../delivery/receiver.ts";
import {
  at,
  by,
  delivery,
  NAME,
  present,
  progress,
  type ReceiverRule,
  sampleReceiver,
  type StoreWithReceivers,
  TENANT,
} from "./sample-receivers.ts";

/** Another receiver of the tenant, and one of another tenant that has the id. */
const NEIGHBOURS: readonly ReceiverName[] = [
  { tenant: TENANT, id: "r2" },
  { tenant: "south", id: NAME.id },
];

const NEW_URL = "https://new.example";
const GONE = { url: NEW_URL, from: 6, to: 7, aside: [delivery(3)], done: [1], disabled: "410" };

/** What is done to a receiver that stands at position 6, under the lease of `a`, with deliveries set aside. */
const DEEDS: readonly (readonly [what: string, done: (store: StoreWithReceivers) => Promise<unknown>])[] = [
  [
    "replaced",
    async ({ receivers }) => {
      const found = (await receivers.find(NAME)) ?? sampleReceiver();
      return receivers.replace({ ...found, state: "active", url: NEW_URL, revision: 99 }, found.revision);
    },
  ],
  ["advanced", ({ receivers }) => receivers.advance(NAME, progress(GONE))],
  ["revived", ({ receivers }) => receivers.revive(NAME, [2], by(at(9)))],
  ["revived as a whole", ({ receivers }) => receivers.revive(NAME, null, by(at(9)))],
  [
    "set aside again",
    ({ receivers }) => receivers.advance(NAME, progress({ url: NEW_URL, from: 7, to: 8, aside: ASIDE })),
  ],
  ["dropped", ({ receivers }) => receivers.drop(NAME, [2], by(at(9)))],
  ["dropped as a whole", ({ receivers }) => receivers.drop(NAME, null, by(at(9)))],
  ["given back", ({ receivers }) => receivers.release(NAME, "a")],
  ["set back", ({ receivers }) => receivers.rewind(NAME, 0)],
  ["removed", async ({ receivers }) => receivers.remove((await receivers.find(NAME)) ?? sampleReceiver())],
];

const ASIDE = [
  delivery(1),
  ...[2, 4].map((position) => delivery(position, { state: "dead", attempts: 7 })),
  delivery(5, { next: at(0) }),
];

async function stateOf({ receivers }: StoreWithReceivers, name: ReceiverName): Promise<unknown> {
  const all = { after: 0, limit: 100 };
  return [
    await receivers.find(name),
    await receivers.aside(name, { state: "waiting", ...all }),
    await receivers.aside(name, { state: "dead", ...all }),
  ];
}

/** Whether a holder gets the lease of a receiver. */
async function isGiven(
  { receivers }: StoreWithReceivers,
  name: ReceiverName,
  holder: string,
): Promise<boolean> {
  return (await receivers.lease(name, { holder, ...present(1), until: at(10) })) !== null;
}

/** Rules of receivers beside each other. */
export const NEIGHBOUR_RULES: readonly ReceiverRule[] = [
  {
    rule: "receivers/neighbours",
    name: "what is done to a receiver is done to no other of its tenant, and to none of its id elsewhere",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      for (const name of [NAME, ...NEIGHBOURS]) await receivers.add(sampleReceiver(name));
      expectEqual(await isGiven(store, NAME, "b"), true, "leased");
      for (const name of NEIGHBOURS) expectEqual(await isGiven(store, name, "a"), true, "leased beside it");
      await receivers.release(NAME, "b");
      expectEqual(await isGiven(store, NAME, "a"), true, "leased by who has the others");
      const from = progress({ to: 6, aside: ASIDE });
      for (const name of [NAME, ...NEIGHBOURS]) {
        expectEqual(await receivers.advance(name, from), true, "advanced");
        expectEqual(
          await receivers.aside(name, { state: "waiting", after: 0, limit: 9 }),
          [ASIDE[0], ASIDE[3]],
          "waiting",
        );
      }
      const before = await Promise.all(NEIGHBOURS.map((name) => stateOf(store, name)));
      for (const [what, done] of DEEDS) {
        await done(store);
        for (const [index, name] of NEIGHBOURS.entries()) {
          expectEqual(await stateOf(store, name), before[index], `beside one that is ${what}`);
          expectEqual(await isGiven(store, name, "b"), false, `lease beside one that is ${what}`);
        }
      }
      expectEqual(await receivers.find(NAME), null, "removed");
    },
  },
];
