import { describe, expect, test, vi } from "vitest";
import { HOUR, startService } from "./service.ts";

describe("what is delivered", () => {
  test("every event behind the position, once, and what happens from then on", async () => {
    const service = await startService({ position: 1 });
    await service.change("a", "b", "a", "-b");
    await service.deliver();
    expect(service.taken().toSorted((a, b) => a - b)).toEqual([2, 3, 4]);
    await service.deliver();
    expect(service.taken()).toEqual([]);
    await service.change("a");
    await service.deliver();
    expect(service.taken()).toEqual([5]);
    const { position, failingSince, lastDelivery, lastProblem } = await service.receiver();
    expect({ position, failingSince, lastDelivery, lastProblem }).toEqual({
      position: 5,
      failingSince: null,
      lastDelivery: "2026-03-01T00:00:00.000Z",
      lastProblem: null,
    });
    expect(service.errors).toEqual([]);
  });

  test.each([
    [[], ["created", "patched", "deleted"]],
    [["User"], ["created", "patched", "deleted"]],
    [["*.deleted"], ["deleted"]],
    [
      ["User.created", "Group", "User.deleted"],
      ["created", "deleted"],
    ],
    [["Group", "user"], []],
  ])("of the events, those that %j names", async (types, kinds) => {
    const service = await startService({ types });
    await service.change("a", "a", "-a");
    await service.deliver();
    expect(service.sent.map(({ kind }) => kind)).toEqual(kinds);
    expect((await service.receiver()).position).toBe(3);
  });

  test("nothing to a receiver that is paused, and all of it when it is active again", async () => {
    const service = await startService({ state: "paused" });
    await service.change("a");
    await service.deliver();
    expect(service.taken()).toEqual([]);
    await service.receivers.replace({ ...(await service.receiver()), state: "active", revision: 2 }, 1);
    await service.deliver();
    expect(service.taken()).toEqual([1]);
  });

  test("nothing of a tenant that is suspended, not even the rest of a long step, and all of it afterwards", async () => {
    const service = await startService();
    service.activate(false);
    await service.change("a", "a", "a", "b");
    await service.deliver();
    expect(service.taken()).toEqual([]);
    service.activate(true);
    service.answer(({ position }) => {
      if (position === 1) service.activate(false);
      service.pass(8000);
      return 200;
    });
    await service.deliver();
    expect(service.taken()).not.toContain(2);
    service.activate(true);
    await service.deliver();
    expect(service.taken().slice(0, 2)).toEqual([2, 3]);
    expect(await service.receiver()).toMatchObject({ position: 4, failingSince: null, lastProblem: null });
    expect(service.errors).toEqual([]);
  });
});

describe("a resource whose event fails", () => {
  test("waits with what follows of it, and no other resource does", async () => {
    const service = await startService();
    service.answer(({ resource }) => (resource === "a" ? 500 : 200));
    await service.change("a", "b", "a", "b", "-a");
    await service.deliver();
    expect(service.taken().toSorted((a, b) => a - b)).toEqual([1, 2, 4]);
    expect((await service.receiver()).position).toBe(5);
    expect((await service.aside("waiting")).map(({ position, attempts }) => [position, attempts])).toEqual([
      [1, 1],
      [3, 0],
      [5, 0],
    ]);
    service.answer(() => 200);
    await service.deliver();
    expect(service.taken(), "not before its time").toEqual([]);
    service.pass(5000);
    await service.deliver();
    expect(service.taken(), "in its order").toEqual([1, 3, 5]);
    expect(await service.aside("waiting")).toEqual([]);
  });

  test("goes on with all that waited behind it, and not with one event each time that it is looked at", async () => {
    const service = await startService();
    service.answer(() => 500);
    await service.change(...Array.from({ length: 60 }, () => "a"), "b");
    await service.deliver();
    service.taken();
    service.answer(({ position }) => (position === 30 ? 500 : 200));
    service.pass(5000);
    await service.deliver();
    expect(service.taken().toSorted((a, b) => a - b)).toEqual([...Array(30).keys(), 60].map((at) => at + 1));
    const waiting = (await service.aside("waiting")).map(({ position, attempts }) => [position, attempts]);
    expect(waiting.slice(0, 2), "no more is tried behind one that fails").toEqual([
      [30, 1],
      [31, 0],
    ]);
    service.answer(() => 200);
    service.pass(5000);
    await service.deliver();
    expect(service.taken()).toEqual(Array.from({ length: 31 }, (_, at) => at + 30));
  });

  test("has a hundred of those behind it told at a time, written before the next: who dies has no more told again", async () => {
    const service = await startService();
    service.answer(() => 500);
    await service.change(...Array.from({ length: 103 }, () => "a"));
    await service.deliver();
    const unwritten = new Map<number, number | undefined>();
    service.answer(async ({ position }) => {
      unwritten.set(position, (await service.aside("waiting"))[0]?.position);
      return 200;
    });
    service.pass(5000);
    await service.deliver();
    expect([101, 102].map((position) => unwritten.get(position))).toEqual([1, 102]);
  });

  test("is tried at once where the clock went back by days, whoever had it in hand", async () => {
    const service = await startService();
    service.answer(() => 500);
    await service.change("a");
    await service.deliver();
    const lease = {
      holder: "killed",
      now: "",
      latest: "~",
      until: new Date(service.now() + HOUR).toISOString(),
    };
    expect(await service.receivers.lease(service.name, lease)).not.toBeNull();
    service.taken();
    service.answer(() => 200);
    service.pass(-72 * HOUR);
    await service.deliver();
    expect(service.taken()).toEqual([1]);
  });

  test("is tried after 2.5 s to an hour, twice as late each time, or when the receiver asks for it", async () => {
    const service = await startService();
    service.answer(() => 503);
    await service.change("a");
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 13; attempt += 1) {
      await service.deliver();
      const [head] = await service.aside("waiting");
      if (head === undefined) throw new TypeError("Nothing waits.");
      expect(head).toMatchObject({ attempts: attempt + 1, problem: "The receiver answered 503." });
      const { lastProblem, failingSince } = await service.receiver();
      expect([lastProblem, failingSince]).toEqual([head.problem, "2026-03-01T00:00:00.000Z"]);
      const pause = Date.parse(head.next) - service.now();
      pauses.push(pause / 1000);
      service.pass(pause);
    }
    expect(pauses).toEqual([2.5, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800, 1800]);
    service.answer(() => 503, 7000);
    await service.deliver();
    const [last] = await service.aside("waiting");
    expect(Date.parse(last?.next ?? "") - service.now(), "at most an hour").toBe(HOUR);
  });

  test("is given up after three days, and those behind it go on", async () => {
    const service = await startService();
    service.answer(({ position }) => (position === 1 ? 422 : 200));
    await service.change("a", "a", "b");
    for (let hour = 0; hour <= 72; hour += 1) {
      await service.deliver();
      service.pass(HOUR);
      await service.change("b");
    }
    expect(service.taken().filter((position) => position === 2)).toEqual([2]);
    expect(await service.aside("dead")).toMatchObject([
      { position: 1, type: "User", resource: "a", attempts: 73, problem: "The receiver answered 422." },
    ]);
    expect((await service.receiver()).state, "others were delivered").toBe("active");
    service.answer(() => 200);
    const decision = { actor: { admin: "ada" }, at: new Date(service.now()).toISOString() };
    expect(await service.receivers.revive(service.name, null, decision)).toBe(1);
    await service.deliver();
    expect(service.taken()).toContain(1);
    expect(await service.aside("dead")).toEqual([]);
  });

  test("is not given up for the time in which its tenant was suspended, and nor is the receiver", async () => {
    const service = await startService();
    service.answer(() => 500);
    await service.change("a");
    await service.deliver();
    service.activate(false);
    service.pass(100 * HOUR);
    await service.deliver();
    service.activate(true);
    service.taken();
    for (let hour = 0; hour <= 70; hour += 1) {
      await service.deliver();
      service.pass(HOUR);
    }
    expect(service.taken()).toHaveLength(71);
    expect([(await service.receiver()).state, await service.aside("dead")]).toEqual(["active", []]);
    for (let hour = 71; hour <= 73; hour += 1) {
      await service.deliver();
      service.pass(HOUR);
    }
    expect((await service.receiver()).state).toBe("disabled");
    expect(await service.aside("dead")).toMatchObject([{ position: 1 }]);
  });

  test.each([
    ["for the first time", 0],
    ["once more", 1],
  ])("is as it was where its worker stops while it is sent %s", async (_when, attempts) => {
    const service = await startService();
    await service.change("a");
    service.answer(() => 500);
    if (attempts > 0) await service.deliver();
    const before = [await service.aside("waiting"), await service.receiver()];
    service.pass(72 * HOUR);
    service.answer(() => {
      service.stop();
      return "none";
    });
    await service.deliver();
    expect(service.taken()).toHaveLength(attempts + 1);
    const [after] = await service.aside("waiting");
    expect(after).toMatchObject({ position: 1, attempts });
    const { state, failingSince, lastProblem } = await service.receiver();
    expect({ state, failingSince, lastProblem }).toEqual(
      attempts === 0
        ? { state: "active", failingSince: null, lastProblem: null }
        : {
            state: "active",
            failingSince: "2026-03-01T00:00:00.000Z",
            lastProblem: "The receiver answered 500.",
          },
    );
    if (attempts > 0) expect([await service.aside("waiting"), await service.receiver()]).toEqual(before);
  });

  test("whose event is not kept any more is a dead letter", async () => {
    const service = await startService();
    service.answer(() => "none");
    await service.change("a");
    await service.deliver();
    await service.store.events.purge("2027-01-01T00:00:00.000Z", 10);
    service.pass(HOUR);
    await service.deliver();
    expect(await service.aside("dead")).toMatchObject([
      { position: 1, problem: "The event is not kept any more." },
    ]);
    // The next purge takes the dead letter with it: this stays.
    expect(await service.receiver()).toMatchObject({
      state: "active",
      lastProblem: "The event at position 1 was removed before it was delivered.",
    });
  });
});

describe("events of a step that takes long", () => {
  const ids = Array.from({ length: 20 }, (_, at) => `u${at}`);

  test.each([
    ["meanwhile", 2000],
    ["while the clock was set back", -72 * HOUR],
  ])("are sent without the content that an erasure took %s", async (_when, passed) => {
    const service = await startService();
    await service.change(...ids);
    const { events } = service.store;
    const written = await events.read(service.name.tenant, { after: 0, limit: ids.length });
    const erased = written.map((event) => ({ ...event, before: null, after: null, changed: [] }));
    service.answer(() => {
      service.pass(passed);
      vi.spyOn(events, "read").mockImplementation(async (_tenant, { after, limit }) =>
        erased.slice(after, after + limit),
      );
      return 204;
    });
    await service.deliver();
    const withContent = service.sent.filter(({ hasContent }) => hasContent);
    // Eight were on their way.
    expect(withContent.length).toBeLessThanOrEqual(8);
    expect(service.taken().toSorted((a, b) => a - b)).toEqual(ids.map((_, at) => at + 1));
    expect(service.errors).toEqual([]);
  });

  test("are dead letters where they were removed meanwhile", async () => {
    const service = await startService();
    await service.change(...ids);
    service.answer(async () => {
      service.pass(2000);
      await service.store.events.purge("2027-01-01T00:00:00.000Z", 100);
      return 204;
    });
    await service.deliver();
    const sent = service.taken().length;
    const dead = await service.aside("dead");
    expect(sent + dead.length).toBe(ids.length);
    expect(new Set(dead.map(({ problem }) => problem))).toEqual(new Set(["The event is not kept any more."]));
    expect(await service.receiver()).toMatchObject({ position: ids.length, state: "active" });
  });
});

describe("a receiver that is in trouble", () => {
  test("is sent no more than 32 resources' events, and everything once it answers", async () => {
    const service = await startService();
    service.answer(() => "none");
    const ids = Array.from({ length: 50 }, (_, at) => `u${at}`);
    await service.change(...ids, ...ids);
    await service.deliver();
    expect(service.taken()).toHaveLength(32);
    expect((await service.receiver()).position).toBe(32);
    const lease = vi.spyOn(service.receivers, "lease");
    await service.deliver();
    expect(service.taken(), "nothing new").toEqual([]);
    expect(lease, "nothing is written").not.toHaveBeenCalled();
    service.answer(() => 200);
    service.pass(5000);
    for (let look = 0; look < 3; look += 1) await service.deliver();
    const order = Map.groupBy(service.sent, ({ resource }) => resource);
    expect([...order.values()].map((sent) => sent.map(({ kind }) => kind))).toEqual(
      ids.map(() => ["created", "patched"]),
    );
  });

  test("is not asked again and again for what waits, and has what becomes due, or an administrator changes, seen to at once", async () => {
    const service = await startService();
    service.answer(() => 500);
    const ids = Array.from({ length: 40 }, (_, at) => `u${at}`);
    await service.change(...ids);
    await service.deliver();
    service.taken();
    const read = vi.spyOn(service.receivers, "aside");
    /** So many looks, as a worker has some each second; how often one of them read what waits. */
    const readBy = async (looks: number): Promise<number> => {
      read.mockClear();
      for (let look = 0; look < looks; look += 1) await service.deliver();
      return read.mock.calls.length;
    };
    expect(await readBy(10)).toBe(1);
    service.pass(2499);
    expect(await readBy(10)).toBe(0);
    service.pass(1);
    expect(await readBy(1)).toBeGreaterThan(0);
    expect(service.taken()).toHaveLength(32);
    // Each failed once more: they are tried in 5 s.
    await readBy(1);
    await service.receivers.rewind(service.name, 0);
    await service.deliver();
    expect(service.taken()).toHaveLength(32);
    await readBy(1);
    service.pass(-24 * HOUR);
    expect(await readBy(1)).toBeGreaterThan(0);
  });

  test("is called by every resource that waits as soon as it answers one", async () => {
    const service = await startService();
    service.answer(() => 500);
    await service.change("a");
    for (let attempt = 0; attempt < 8; attempt += 1) {
      await service.deliver();
      service.pass(HOUR);
    }
    await service.change("b");
    await service.deliver();
    service.taken();
    service.answer(() => 200);
    service.pass(5000);
    await service.deliver();
    expect(service.taken().toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  test("is called by no resource before its time for the sake of another that fails", async () => {
    const service = await startService();
    service.answer(() => 500);
    await service.change("a");
    await service.deliver();
    service.pass(1000);
    await service.change("b");
    await service.deliver();
    service.taken();
    service.pass(1500);
    for (let look = 0; look < 3; look += 1) await service.deliver();
    expect(service.taken()).toEqual([1]);
    service.pass(1000);
    await service.deliver();
    expect(service.taken()).toEqual([2]);
  });

  test.each([2500, -72 * HOUR])(
    "that answers some, %i ms later, waits as long as it must for each that failed, and counts its attempts",
    async (milliseconds) => {
      const service = await startService();
      service.answer(() => 500);
      await service.change("a", "b");
      await service.deliver();
      service.taken();
      service.answer(({ resource }) => (resource === "a" ? 200 : 500));
      service.pass(milliseconds);
      for (let look = 0; look < 3; look += 1) await service.deliver();
      expect(service.taken()).toEqual([1, 2]);
      expect(await service.aside("waiting")).toMatchObject([
        { position: 2, attempts: 2, next: new Date(service.now() + 5000).toISOString() },
      ]);
    },
  );

  test("is disabled after three days without a delivery, with the reason, and goes on when it is made active", async () => {
    const service = await startService();
    service.answer(() => 500);
    await service.change("a");
    for (let hour = 0; hour <= 80; hour += 1) {
      await service.deliver();
      service.pass(HOUR);
    }
    await service.change("b");
    expect(await service.receiver()).toMatchObject({
      state: "disabled",
      reason: "No delivery has succeeded since 2026-03-01T00:00:00.000Z. The receiver answered 500.",
    });
    expect(service.taken()).toHaveLength(73);
    expect(await service.aside("dead")).toMatchObject([{ position: 1 }]);
    service.answer(() => 200);
    const disabled = await service.receiver();
    const { revision } = disabled;
    await service.receivers.replace({ ...disabled, state: "active", revision: revision + 1 }, revision);
    await service.deliver();
    expect(service.taken()).toEqual([2]);
  });

  test("that refuses every event is disabled after three days of refusing, and not of having nothing to refuse", async () => {
    const service = await startService();
    service.answer(() => 400);
    const refuse = async (hours: number): Promise<void> => {
      for (let hour = 0; hour < hours; hour += 1) {
        await service.change(`a${hour}`);
        await service.deliver();
        service.pass(HOUR);
      }
    };
    await refuse(30);
    // Nothing happens for a week; then one request finds no network.
    service.pass(7 * 24 * HOUR);
    service.answer(() => "none");
    await service.change("b");
    await service.deliver();
    expect(await service.receiver()).toMatchObject({
      state: "active",
      failingSince: "2026-03-08T00:59:57.500Z",
    });
    service.answer(() => 400);
    await refuse(50);
    expect((await service.receiver()).state).toBe("disabled");
  });

  test("of which a thousand events wait is sent nothing new, however few resources they are of", async () => {
    const service = await startService();
    service.answer(({ resource }) => (resource === "a" ? 500 : 200));
    await service.change(...Array.from({ length: 1001 }, () => "a"), "b");
    for (let look = 0; look < 3; look += 1) await service.deliver();
    expect(service.sent.map(({ resource }) => resource)).toEqual(["a"]);
    expect((await service.receiver()).position).toBe(1000);
  });

  test("is sent events of so many resources that 32 are stuck at most, where some are already", async () => {
    const service = await startService();
    service.answer(() => 500);
    const ids = Array.from({ length: 40 }, (_, at) => `u${at}`);
    await service.change(...ids.slice(0, 30));
    await service.deliver();
    await service.change(...ids.slice(30));
    await service.deliver();
    expect(service.taken()).toHaveLength(32);
  });

  test("that answers 410 after three days of trouble keeps what waits for whoever makes it active again", async () => {
    const service = await startService();
    service.answer(() => 500);
    await service.change("a");
    for (let hour = 0; hour < 72; hour += 1) {
      await service.deliver();
      service.pass(HOUR);
    }
    service.answer(() => 410);
    await service.deliver();
    expect([await service.aside("dead"), (await service.aside("waiting")).length]).toEqual([[], 1]);
    expect(await service.receiver()).toMatchObject({
      state: "disabled",
      reason: "The receiver answered 410: it wants no more events.",
    });
  });

  test("that answers 410 to one of many is called for those that are under way, and for no other", async () => {
    const service = await startService();
    service.answer(() => 410);
    await service.change(...Array.from({ length: 20 }, (_, at) => `u${at}`));
    await service.deliver();
    expect(service.taken(), "requests at once").toHaveLength(8);
    expect(await service.aside("waiting")).toHaveLength(20);
  });

  test("that answers 410 is disabled at once, and nothing more is sent", async () => {
    const service = await startService();
    service.answer(() => 410);
    await service.change("a", "a");
    await service.deliver();
    service.pass(HOUR);
    await service.deliver();
    expect(service.taken()).toEqual([1]);
    expect(await service.receiver()).toMatchObject({ state: "disabled", position: 2 });
    expect(
      (await service.aside("waiting")).map(({ position }) => position),
      "not lost",
    ).toEqual([1, 2]);
  });

  test.each([0, 8000])(
    "whose address is changed while the old one answers 410, %i ms later, is told at the new one",
    async (milliseconds) => {
      const service = await startService();
      service.answer(async ({ position }) => {
        if (position !== 1) return 204;
        const url = "https://new.example.com/scim";
        await service.receivers.replace({ ...(await service.receiver()), url, revision: 2 }, 1);
        service.pass(milliseconds);
        return 410;
      });
      await service.change("a", "a");
      await service.deliver();
      expect(await service.receiver()).toMatchObject({ state: "active", reason: null, position: 0 });
      service.answer(() => 204);
      service.sent.length = 0;
      await service.deliver();
      expect(service.taken(), "all of it, to the new address").toEqual([1, 2]);
      expect(await service.aside("waiting")).toEqual([]);
    },
  );

  test.each([8000, -72 * HOUR])(
    "whose types are changed during a long step is told of no others any more, %i ms later",
    async (milliseconds) => {
      const service = await startService();
      service.answer(async ({ position }) => {
        if (position !== 1) return 204;
        const changed = { types: ["*.deleted"], revision: 2 };
        await service.receivers.replace({ ...(await service.receiver()), ...changed }, 1);
        service.pass(milliseconds);
        return 204;
      });
      await service.change("a", "a", "-a");
      await service.deliver();
      await service.deliver();
      expect(service.taken()).toEqual([1, 3]);
      expect(await service.receiver()).toMatchObject({ position: 3, lastProblem: null });
      expect(await service.aside("waiting")).toEqual([]);
    },
  );

  test("whose address is changed during a long step is sent no more at the old one", async () => {
    const service = await startService();
    service.answer(async ({ position }) => {
      if (position !== 1) return 204;
      const url = "https://new.example.com/scim";
      await service.receivers.replace({ ...(await service.receiver()), url, revision: 2 }, 1);
      service.pass(8000);
      return 204;
    });
    await service.change("a", "a", "a");
    await service.deliver();
    await service.deliver();
    expect(service.sent.map(({ position, url }) => [position, new URL(url).hostname])).toEqual([
      [1, "hooks.example.com"],
      [1, "new.example.com"],
      [2, "new.example.com"],
      [3, "new.example.com"],
    ]);
  });

  test("whose events were removed before they were delivered is told so, and goes on behind them", async () => {
    const service = await startService({ state: "paused" });
    await service.change("a", "b");
    await service.store.events.purge("2027-01-01T00:00:00.000Z", 10);
    await service.change("c");
    await service.receivers.replace({ ...(await service.receiver()), state: "active", revision: 2 }, 1);
    await service.deliver();
    expect(service.taken()).toEqual([3]);
    expect(await service.receiver()).toMatchObject({
      position: 3,
      lastProblem: "The events from position 1 to 2 were removed before they were delivered.",
    });
  });
});

describe("several workers", () => {
  test("deliver to a receiver one at a time; the next goes on when the lease of one that died is over", async () => {
    const service = await startService();
    await service.change("a");
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let answer = (): void => undefined;
    const hanging = new Promise<number>((resolve) => {
      answer = () => resolve(200);
    });
    service.answer(() => {
      arrived();
      return hanging;
    });
    const first = service.deliver();
    await arrival;
    const other = service.workerOf("b");
    await other.look();
    await other.idle();
    expect(service.taken(), "the first has it").toEqual([1]);
    service.answer(() => 200);
    service.pass(30_000);
    await other.look();
    await other.idle();
    expect(service.taken(), "at least once").toEqual([1]);
    await service.change("a");
    answer();
    await first;
    expect((await service.receiver()).position, "what came late counts for nothing").toBe(1);
    await service.deliver();
    expect(service.taken()).toEqual([2]);
  });

  test("whoever loses the lease in the middle of a step sends nothing more", async () => {
    const service = await startService();
    await service.change(...Array.from({ length: 32 }, (_, at) => `u${at}`));
    const until = new Date(service.now() + HOUR).toISOString();
    const other = { holder: "b", now: "~", latest: "~", until };
    service.answer(async () => {
      await service.receivers.lease(service.name, other);
      if (service.sent.length <= 8) service.pass(1000);
      return 200;
    });
    await service.deliver();
    // Eight at once, and those that were on their way while it was found out.
    expect(service.taken().length).toBeLessThanOrEqual(16);
    expect((await service.receiver()).position, "what was sent counts for nothing").toBe(0);
  });

  test("whoever is stopped in the middle of a step sends nothing more, and leaves the rest to others", async () => {
    const service = await startService();
    await service.change(...Array.from({ length: 32 }, (_, at) => `u${at}`));
    service.answer(() => {
      service.stop();
      return 200;
    });
    await service.deliver();
    const sent = service.taken().length;
    expect(sent, "requests at once").toBeLessThanOrEqual(8);
    expect(await service.aside("waiting")).toHaveLength(32 - sent);
  });

  test("a replay from a position undoes what a worker is about to write", async () => {
    const service = await startService();
    await service.change("a", "b", "c");
    service.answer(async () => {
      await service.receivers.rewind(service.name, 0);
      service.answer(() => 200);
      return 200;
    });
    await service.deliver();
    await service.deliver();
    expect(new Set(service.taken())).toEqual(new Set([1, 2, 3]));
    expect((await service.receiver()).position).toBe(3);
  });
});

/** A sequence that looks like chance and is the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([1, 2, 3])(
  "whatever fails: every event at least once, the events of a resource in order (seed %i)",
  async (seed) => {
    const random = chance(seed);
    const service = await startService();
    const delivered = new Map<string, number[]>();
    service.answer(({ resource, position }) => {
      if (random() < 0.4) return random() < 0.5 ? 500 : "none";
      delivered.set(resource, [...(delivered.get(resource) ?? []), position]);
      return 200;
    });
    for (let round = 0; round < 30; round += 1) {
      await service.change(...Array.from({ length: 6 }, () => `u${Math.floor(random() * 8)}`));
      await service.deliver();
      service.pass(random() * 20_000);
    }
    for (let round = 0; round < 200; round += 1) {
      await service.deliver();
      service.pass(60_000);
    }
    const events = await service.store.events.read(service.name.tenant, { after: 0, limit: 1000 });
    const expected = Map.groupBy(events, ({ id }) => id);
    for (const [id, ofResource] of expected) {
      expect(delivered.get(id), id).toEqual(ofResource.map(({ position }) => position));
    }
  },
);
