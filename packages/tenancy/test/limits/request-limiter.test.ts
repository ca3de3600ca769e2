import { PROFILES, type Principal, type RequestRate } from "@scim/core";
import { beforeEach, describe, expect, test } from "vitest";
import { createRequestLimiter, type RequestLimiterOptions } from "../../src/index.ts";

let now = 0;
beforeEach(() => {
  now = 1_000_000;
});

const FALLBACK: RequestRate = { perSecond: 2, burst: 4 };

function limiterOf(of: Partial<RequestLimiterOptions> = {}) {
  return createRequestLimiter({ now: () => now, fallback: FALLBACK, ...of });
}

function principal(of: Partial<Principal> = {}): Principal {
  return {
    tenant: "acme",
    connection: "okta",
    scopes: new Set(["scim"]),
    subject: null,
    profile: PROFILES.tolerant,
    rate: null,
    ...of,
  };
}

/** How many of so many requests at once pass. */
function passing(limiter: ReturnType<typeof limiterOf>, count: number, of: Partial<Principal> = {}): number {
  return Array.from({ length: count }, () => limiter.admit(principal(of))).filter((early) => early === null)
    .length;
}

describe("requests of a connection", () => {
  test("its burst passes at once, and then as many as its rate allows", () => {
    const limiter = limiterOf();
    expect(passing(limiter, 10)).toBe(4);
    now += 499;
    expect(passing(limiter, 10)).toBe(0);
    now += 1;
    expect(passing(limiter, 10)).toBe(1);
    now += 60_000;
    expect(passing(limiter, 10)).toBe(4);
  });

  test("over a long time no more than rate and burst pass, however they come", () => {
    const limiter = limiterOf();
    let passed = 0;
    for (let step = 0; step < 1000; step += 1) {
      now += 37;
      passed += passing(limiter, 3);
    }
    // The first came at once, and the last 999 steps later.
    expect(passed).toBe(4 + Math.floor((999 * 37 * 2) / 1000));
  });

  test("what is refused says when to come again, and what the quota is", () => {
    const limiter = limiterOf();
    passing(limiter, 4);
    expect(limiter.admit(principal())).toEqual({ policy: "requests", retryAfter: 1, quota: 4, window: 2 });
    const slow = principal({ connection: "hr", rate: { perSecond: 0.1, burst: 1 } });
    expect(limiter.admit(slow)).toBeNull();
    now += 2500;
    expect(limiter.admit(slow)).toEqual({ policy: "requests", retryAfter: 8, quota: 1, window: 10 });
    now += 7500;
    expect(limiter.admit(slow)).toBeNull();
  });

  test("the rest of a batch passes whole, or takes nothing, and is told when all of it may come again", () => {
    const limiter = limiterOf();
    passing(limiter, 2);
    const batch = () => [limiter.admit(principal()), limiter.admitRest(principal(), 2)];
    const early = { policy: "requests", retryAfter: 2, quota: 4, window: 2 };
    // Two are left: the first of the batch takes one, and the other two need one more.
    expect(batch()).toEqual([null, { ...early, retryAfter: 1 }]);
    expect(passing(limiter, 10)).toBe(1);
    now += 500;
    expect(batch()).toEqual([null, early]);
    now += 2000;
    expect(batch()).toEqual([null, null]);
    expect(passing(limiter, 10)).toBe(1);
  });

  test("a batch of more than may ever come at once is told how many may", () => {
    const limiter = limiterOf();
    expect(limiter.admit(principal())).toBeNull();
    expect(limiter.admitRest(principal(), 4)).toEqual({ most: 4 });
    expect(limiter.admitRest(principal(), 3)).toBeNull();
    expect(limiterOf({ processes: 2 }).admitRest(principal(), 2)).toEqual({ most: 2 });
    expect(limiterOf({ fallback: null }).admitRest(principal(), 1000)).toBeNull();
    expect(limiter.admitRest(principal(), 0)).toBeNull();
  });

  test("one connection takes nothing from another, and its own rate goes before the server's", () => {
    const limiter = limiterOf();
    expect(passing(limiter, 10)).toBe(4);
    expect(passing(limiter, 10, { connection: "hr" })).toBe(4);
    expect(passing(limiter, 10, { tenant: "globex" })).toBe(4);
    expect(passing(limiter, 10, { connection: "own", rate: { perSecond: 1, burst: 7 } })).toBe(7);
    expect(passing(limiterOf({ fallback: null }), 1000)).toBe(1000);
  });

  test.each([
    [1, 4, 2],
    [2, 2, 1],
    [3, 1, 0.66],
    [8, 1, 0.25],
  ])("of %s processes each lets its share pass: %s at once, %s a second", (processes, burst, perSecond) => {
    const limiter = limiterOf({ processes });
    expect(passing(limiter, 10)).toBe(burst);
    now += 1000 / perSecond - 20;
    expect(passing(limiter, 1)).toBe(0);
    now += 60_000;
    expect(passing(limiter, 10)).toBe(burst);
    expect(limiter.admit(principal())).toMatchObject({ quota: 4 });
  });

  test("a clock that is set back locks nobody out for longer than a whole bucket takes", () => {
    const limiter = limiterOf();
    passing(limiter, 4);
    now -= 3_600_000;
    expect(passing(limiter, 1)).toBe(0);
    now += 2000;
    expect(passing(limiter, 10)).toBe(4);
  });
});

test("a rate that was slow and is fast now holds at once", () => {
  const limiter = limiterOf();
  expect(passing(limiter, 2, { rate: { perSecond: 0.001, burst: 1 } })).toBe(1);
  const rate = { perSecond: 1000, burst: 10 };
  passing(limiter, 1, { rate });
  now += 5;
  expect(passing(limiter, 10, { rate })).toBe(5);
});

describe("refused credentials", () => {
  const SECRET = "x".repeat(42);

  test("ten of an address and a beginning may be wrong at once, and then one each three seconds", () => {
    const limiter = limiterOf();
    const wrong = () => limiter.refused("192.0.2.1", `scim_acme_A${SECRET}`);
    for (let count = 0; count < 10; count += 1) expect(wrong()).toBeNull();
    expect(wrong()).toEqual({ policy: "credentials", retryAfter: 3, quota: 10, window: 30 });
    now += 3000;
    expect(wrong()).toBeNull();
    expect(wrong()).not.toBeNull();
    expect(limiter.refused("192.0.2.2", `scim_acme_A${SECRET}`)).toBeNull();
    expect(limiter.refused("192.0.2.1", `scim_acme_B${SECRET}`)).toBeNull();
  });

  test("never count against requests: whoever has a valid token is not delayed", () => {
    const limiter = limiterOf();
    for (let count = 0; count < 1000; count += 1) limiter.refused("192.0.2.1", `scim_acme_A${SECRET}`);
    expect(passing(limiter, 4)).toBe(4);
  });

  test("are forgotten, the oldest first, before they fill the memory", () => {
    const limiter = limiterOf();
    const wrong = (address: string) => limiter.refused(address, "x");
    for (let count = 0; count < 11; count += 1) wrong("first");
    expect(wrong("first")).not.toBeNull();
    for (let count = 0; count < 10_000; count += 1) wrong(`other ${count}`);
    expect(wrong("first")).toBeNull();
  });

  test("are kept of whoever goes on, however many others come meanwhile", () => {
    const limiter = limiterOf();
    const wrong = (address: string) => limiter.refused(address, "x");
    for (let count = 0; count < 10; count += 1) {
      expect(wrong("first")).toBeNull();
      for (let other = 0; other < 5000; other += 1) wrong(`other ${count} ${other}`);
    }
    expect(wrong("first")).not.toBeNull();
  });
});
