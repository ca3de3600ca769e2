/**
 * What every store of receivers must do, as data without a test runner.
 * @module
 */
import { expectEqual, seed } from "@scim/core/testing";
import type { ReceiverKind } from "../delivery/receiver.ts";
import { NEIGHBOUR_RULES } from "./receiver-neighbours.ts";
import {
  at,
  by,
  delivery,
  leased,
  NAME,
  positions,
  present,
  progress,
  type ReceiverRule,
  sampleReceiver,
  TENANT,
} from "./sample-receivers.ts";

/** The contract of a store's receivers. */
export const RECEIVER_CONTRACT: readonly ReceiverRule[] = [
  {
    rule: "receivers/kept",
    name: "receivers are added once, found by tenant, and removed with what was set aside",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      const receiver = sampleReceiver();
      expectEqual(await receivers.add(receiver), true, "added");
      expectEqual(await receivers.add(sampleReceiver({ url: "https://other.example" })), false, "twice");
      await receivers.add(sampleReceiver({ id: "r0", payload: "full", types: [] }));
      await receivers.add(sampleReceiver({ tenant: "south" }));
      expectEqual(await receivers.find(NAME), receiver, "found");
      expectEqual(
        (await receivers.list(TENANT)).map(({ id }) => id),
        ["r0", "r1"],
        "listed",
      );
      expectEqual(await receivers.tenants("", 10), [TENANT, "south"], "tenants");
      expectEqual(await receivers.tenants(TENANT, 10), ["south"], "tenants behind one");
      expectEqual(await receivers.tenants("", 1), [TENANT], "one tenant");
      await leased(store, "a");
      await receivers.advance(NAME, progress({ aside: [delivery(1)] }));
      expectEqual(await receivers.remove({ ...NAME, revision: 2 }), false, "of another revision");
      expectEqual(await positions(store, "waiting"), [1], "what one that stays waits for");
      expectEqual(await receivers.remove(receiver), true, "removed");
      expectEqual(await receivers.remove(receiver), false, "removed twice");
      expectEqual(await receivers.find(NAME), null, "gone");
      await receivers.add(receiver);
      expectEqual(await positions(store, "waiting"), [], "set aside");
      expectEqual((await receivers.list("south")).length, 1, "another tenant's");
    },
  },
  {
    rule: "receivers/room",
    name: "no more receivers of a family are added at once than a tenant may have",
    run: async (open) => {
      const { receivers } = await open();
      await receivers.add(sampleReceiver({ id: "r0" }));
      await receivers.add(sampleReceiver({ tenant: "south" }));
      const adds = (kind: ReceiverKind, ids: readonly string[]): Promise<readonly boolean[]> =>
        Promise.all(ids.map((id) => receivers.add(sampleReceiver({ id, kind }), undefined, 2)));
      const webhooks = await adds("webhook", ["r1", "r2", "r3"]);
      const streams = [...(await adds("push", ["p1", "p2"])), ...(await adds("poll", ["q1"]))];
      expectEqual([webhooks.filter(Boolean).length, streams], [1, [true, true, false]], "added");
      expectEqual((await receivers.list(TENANT)).length, 4, "listed");
    },
  },
  {
    rule: "receivers/changed",
    name: "settings are written by revision, and how far it came is not among them",
    run: async (open) => {
      const { receivers } = await open();
      const failing = sampleReceiver({ position: 3, failingSince: at(5), state: "disabled", reason: "why" });
      await receivers.add(failing);
      const change = {
        url: "https://new.example",
        types: [],
        payload: "full",
        secrets: [],
        audience: "them",
      } as const;
      const paused = {
        ...failing,
        ...change,
        state: "paused",
        reason: null,
        revision: 7,
        position: 9,
      } as const;
      expectEqual(await receivers.replace(paused, 1), true, "replaced");
      expectEqual(await receivers.find(NAME), { ...paused, position: 3 }, "all but the position");
      expectEqual(await receivers.replace(paused, 1), false, "a revision that has passed");
      const active = { ...paused, state: "active", revision: 9 } as const;
      await receivers.replace(active, 7);
      expectEqual((await receivers.find(NAME))?.failingSince, null, "has not failed yet");
      const still = sampleReceiver({ id: "r2", failingSince: at(5) });
      await receivers.add(still);
      await receivers.replace({ ...still, url: "https://new.example", revision: 2 }, 1);
      const name = { tenant: still.tenant, id: still.id };
      expectEqual((await receivers.find(name))?.failingSince, at(5), "fails still, wherever it is");
    },
  },
  {
    rule: "receivers/lease",
    name: "one holds the lease of an active receiver at a time, until it ends or is given back",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      expectEqual(await leased(store, "a"), false, "no receiver");
      await receivers.add(sampleReceiver());
      expectEqual(
        [await leased(store, "a"), await leased(store, "b"), await leased(store, "a", 5)],
        [true, false, true],
        "held",
      );
      expectEqual([await leased(store, "b", 14), await leased(store, "b", 15)], [false, true], "over");
      expectEqual(
        [await leased(store, "a", -75), await leased(store, "a", -76)],
        [false, true],
        "the clock went back",
      );
      expectEqual(await leased(store, "b", 15), true, "over by the clock as it is");
      await receivers.release(NAME, "a");
      expectEqual(await leased(store, "a", 16), false, "given back by who has it not");
      await receivers.release(NAME, "b");
      expectEqual(await leased(store, "a", 16), true, "given back");
      await receivers.replace(sampleReceiver({ state: "paused", revision: 2 }), 1);
      expectEqual(await leased(store, "a", 17), false, "paused");
    },
  },
  {
    rule: "receivers/progress",
    name: "progress counts for who holds the lease and began where the receiver stands",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      await receivers.add(sampleReceiver());
      await leased(store, "a");
      const outcome = { failingSince: at(2), lastDelivery: at(3), lastProblem: "No answer." };
      const aside = [delivery(1), delivery(2, { resource: "u1", attempts: 0, problem: null }), delivery(4)];
      expectEqual(await receivers.advance(NAME, progress({ holder: "b", to: 5, aside })), false, "no lease");
      expectEqual(await receivers.advance(NAME, progress({ from: 1, to: 5, aside })), false, "elsewhere");
      expectEqual(await positions(store, "waiting"), [], "nothing is kept");
      expectEqual(await receivers.advance(NAME, progress({ to: 5, outcome, aside })), true, "counts");
      expectEqual(await receivers.find(NAME), sampleReceiver({ ...outcome, position: 5 }), "written");
      expectEqual(await receivers.aside(NAME, { state: "waiting", after: 0, limit: 9 }), aside, "set aside");
      expectEqual(await positions(store, "waiting", { after: 1, limit: 1 }), [2], "a page");
      const dead = delivery(4, { state: "dead", attempts: 9 });
      await receivers.advance(NAME, progress({ from: 5, to: 5, aside: [dead], done: [1], disabled: "410" }));
      expectEqual([await positions(store, "waiting"), await positions(store, "dead")], [[2], [4]], "later");
      const { state, reason, revision, ...rest } = (await receivers.find(NAME)) ?? sampleReceiver();
      expectEqual([state, reason, revision > 1], ["disabled", "410", true], "disabled");
      const { failingSince, lastDelivery, lastProblem } = rest;
      expectEqual([failingSince, lastDelivery, lastProblem], [null, null, null], "as it was told last");
      const later = delivery(4, { attempts: 10, since: at(7), next: at(80), problem: null });
      expectEqual(await receivers.advance(NAME, progress({ from: 5, to: 3, aside: [later] })), true, "back");
      expectEqual((await receivers.find(NAME))?.position, 3, "at an earlier position");
      const waiting = await receivers.aside(NAME, { state: "waiting", after: 2, limit: 9 });
      expectEqual(waiting, [later], "as it was set aside last");
    },
  },
  {
    rule: "receivers/progress",
    name: "what an administrator paused meanwhile stays paused, whatever the receiver answered",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      await receivers.add(sampleReceiver());
      await leased(store, "a");
      await receivers.replace(sampleReceiver({ state: "paused", revision: 2 }), 1);
      const gone = progress({ to: 1, disabled: "410" });
      expectEqual(await receivers.advance(NAME, gone), true, "counts");
      const { state, reason, revision, position } = (await receivers.find(NAME)) ?? sampleReceiver();
      expectEqual([state, reason, revision, position], ["paused", null, 2, 1], "paused");
    },
  },
  {
    rule: "receivers/progress",
    name: "what was told to an address that was changed meanwhile counts for nothing",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      await receivers.add(sampleReceiver());
      await leased(store, "a");
      const moved = sampleReceiver({ url: "https://new.example", revision: 2 });
      await receivers.replace(moved, 1);
      const outcome = { failingSince: at(2), lastDelivery: at(3), lastProblem: "410" };
      const gone = progress({ to: 4, outcome, disabled: "410", aside: [delivery(1)], done: [2] });
      expectEqual(await receivers.advance(NAME, gone), false, "at the old address");
      expectEqual(await receivers.find(NAME), moved, "as it was changed");
      expectEqual(await positions(store, "waiting"), [], "nothing is kept");
      const told = progress({ url: moved.url, to: 4 });
      expectEqual(await receivers.advance(NAME, told), true, "at the new address");
    },
  },
  {
    rule: "receivers/due",
    name: "a receiver has something to do where events lie behind its position, or a delivery's time has come",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      await receivers.add(sampleReceiver());
      await receivers.add(sampleReceiver({ id: "r2", state: "paused" }));
      await receivers.add(sampleReceiver({ id: "r3", kind: "poll" }));
      expectEqual(await receivers.due(TENANT, present(0)), [], "no event yet");
      await seed(store.resources, [{ type: "User", id: "u1", body: { userName: "u1" } }]);
      for (let given = 0; given < 1;) given += await store.events.assign(10);
      expectEqual(await receivers.due(TENANT, present(0)), ["r1"], "an event");
      expectEqual(await receivers.due("south", present(0)), [], "of another tenant");
      await leased(store, "a");
      await receivers.advance(NAME, progress({ to: 1, aside: [delivery(1)] }));
      expectEqual(await receivers.due(TENANT, present(59)), [], "nothing yet");
      const other = { tenant: TENANT, id: "r4" };
      await receivers.add(sampleReceiver({ ...other, position: 1 }));
      expectEqual(await receivers.due(TENANT, present(60)), ["r1"], "the time has come");
      expectEqual(
        await receivers.due(TENANT, present(-40)),
        [],
        "the clock went back, and the time comes soon",
      );
      expectEqual(await receivers.due(TENANT, present(-41)), ["r1"], "the clock went back");
      await receivers.advance(NAME, progress({ from: 1, to: 1, aside: [delivery(1, { state: "dead" })] }));
      expectEqual(await receivers.due(TENANT, present(99)), [], "dead");
      await receivers.rewind(other, 9);
      expectEqual(await receivers.due(TENANT, present(99)), [other.id], "at a position that was never given");
    },
  },
  {
    rule: "receivers/replay",
    name: "a receiver is set back to a position, and what was given up is tried again",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      await receivers.add(sampleReceiver());
      await leased(store, "a");
      const dead = [1, 2, 5].map((position) => delivery(position, { state: "dead", attempts: 7 }));
      await receivers.advance(NAME, progress({ to: 6, aside: [...dead, delivery(6)] }));
      expectEqual(await receivers.revive(NAME, [2, 3, 6], by(at(80))), 1, "one");
      const revived = delivery(2, { attempts: 0, since: at(80), next: at(80) });
      expectEqual(
        await receivers.aside(NAME, { state: "waiting", after: 0, limit: 9 }),
        [revived, delivery(6)],
        "revived",
      );
      expectEqual(await receivers.revive(NAME, [], by(at(80))), 0, "none");
      expectEqual(await receivers.rewind(NAME, 5), true, "set back");
      expectEqual(
        [await positions(store, "waiting"), await positions(store, "dead")],
        [[2], [1, 5]],
        "up to it",
      );
      expectEqual(await receivers.rewind(NAME, 4), true, "set back further");
      expectEqual([await positions(store, "waiting"), await positions(store, "dead")], [[2], [1]], "kept");
      expectEqual(await receivers.advance(NAME, progress({ from: 4, to: 6 })), false, "the lease is gone");
      expectEqual(await receivers.revive(NAME, null, by(at(90))), 1, "all");
      expectEqual(await receivers.rewind({ ...NAME, id: "other" }, 4), false, "no such receiver");
    },
  },
  {
    rule: "receivers/drop",
    name: "what was given up goes when it is decided, and nothing else that was set aside",
    run: async (open) => {
      const store = await open();
      const { receivers } = store;
      await receivers.add(sampleReceiver());
      await leased(store, "a");
      const dead = [1, 2, 5].map((position) => delivery(position, { state: "dead" }));
      await receivers.advance(NAME, progress({ to: 6, aside: [...dead, delivery(6)] }));
      expectEqual(await receivers.drop(NAME, [2, 3, 6], by(at(80))), 1, "one");
      expectEqual(await receivers.drop(NAME, [], by(at(80))), 0, "none");
      expectEqual([await positions(store, "waiting"), await positions(store, "dead")], [[6], [1, 5]], "kept");
      expectEqual(await receivers.drop(NAME, null, by(at(90))), 2, "all");
      expectEqual([await positions(store, "waiting"), await positions(store, "dead")], [[6], []], "gone");
      expectEqual((await receivers.find(NAME))?.position, 6, "the position stays");
      expectEqual(await receivers.drop({ ...NAME, id: "other" }, null, by(at(90))), 0, "no such receiver");
    },
  },
  ...NEIGHBOUR_RULES,
];
