import { promiseHooks, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createMemoryStore, createPlan, SCOPE } from "@scim/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { createDeliveryWorker, type DeliveryForm, type DeliveryWorker } from "../../src/index.ts";
import { verdictByStatus } from "../../src/delivery/form.ts";
import { createMemoryReceivers, sampleReceiver } from "../../src/testing/index.ts";

/** Sends where the receiver is. */
const FORM: DeliveryForm = {
  request: async ({ url }) => ({ url, headers: {}, body: "" }),
  verdict: verdictByStatus,
};

/** A worker, and what its receivers were asked. */
interface Working {
  readonly worker: DeliveryWorker;
  /** Who was sent something, and whether it has answered. */
  readonly asked: Map<string, "hangs" | "answered">;
  readonly errors: readonly unknown[];
  /** How many receivers of a tenant were sent something. */
  readonly ofTenant: (tenant: string) => number;
  /** Has so many of those that hang answer, those that were asked first before others; default all, those of later on too. */
  readonly answer: (count?: number) => void;
}

/** A worker on so many receivers of each tenant, all of which have something to be told: those of some hang. */
async function working(
  counts: Readonly<Record<string, number>>,
  hangs: (tenant: string) => boolean,
): Promise<Working> {
  const store = createMemoryStore();
  const receivers = createMemoryReceivers(store.events);
  for (const [tenant, count] of Object.entries(counts)) {
    await store.write({ ...SCOPE, tenant }, createPlan({ type: "User", id: "u", body: { userName: "u" } }));
    for (let at = 0; at < count; at += 1) {
      const url = `https://${tenant}.example/r${at}`;
      await receivers.add(sampleReceiver({ tenant, id: `r${at}`, url, types: [] }));
    }
  }
  while ((await store.events.assign(1000)) > 0);
  const asked = new Map<string, "hangs" | "answered">();
  const hanging: (() => void)[] = [];
  const errors: unknown[] = [];
  let isOver = false;
  const worker = createDeliveryWorker({
    receivers,
    events: store.events,
    forms: { webhook: FORM, push: FORM },
    send: async ({ url }) => {
      asked.set(url, "hangs");
      if (!isOver && hangs(new URL(url).hostname.replace(".example", "")))
        await new Promise<void>((resolve) => void hanging.push(resolve));
      asked.set(url, "answered");
      return { kind: "answered", status: 204, retryAfter: null, body: "" };
    },
    now: () => 0,
    random: () => 0,
    holder: "holder",
    leaseMs: 30_000,
    giveUpAfter: 1000,
    isStopped: () => false,
    onError: (error) => errors.push(error),
  });
  const answer = (count?: number): void => {
    isOver ||= count === undefined;
    for (const end of hanging.splice(0, count ?? hanging.length)) end();
  };
  onTestFinished(() => worker.idle());
  onTestFinished(() => answer());
  return {
    worker,
    asked,
    errors,
    ofTenant: (tenant) => [...asked.keys()].filter((url) => url.startsWith(`https://${tenant}.`)).length,
    answer,
  };
}

/** So many tenants by number, each with so many receivers. */
function tenants(count: number, receivers: number): readonly (readonly [string, number])[] {
  return Array.from({ length: count }, (_, at) => [`t${at}`, receivers]);
}

test("receivers of some tenants that hang, however many, hold up no other tenant, and a look not either", async () => {
  const of = Object.fromEntries([...tenants(3, 50), ["z", 1]]);
  const { worker, asked, ofTenant, answer, errors } = await working(of, (tenant) => tenant !== "z");
  await worker.look();
  await worker.look();
  await expect.poll(() => ofTenant("z")).toBe(1);
  for (const tenant of ["t0", "t1", "t2"]) expect(ofTenant(tenant)).toBeGreaterThan(0);
  expect(asked.size).toBeLessThan(64);
  answer();
  await worker.idle();
  expect(asked.size).toBe(3 * 50 + 1);
  expect(errors).toEqual([]);
});

test("where many tenants have receivers that hang by dozens, each other tenant has its turn at once", async () => {
  const HANGING = 40;
  const others = Array.from({ length: 20 }, (_, at) => [`z${at}`, 2] as const);
  const of = Object.fromEntries([...tenants(HANGING, 50), ...others]);
  const { worker, asked, ofTenant, answer, errors } = await working(of, (tenant) => tenant.startsWith("t"));
  await worker.look();
  // One after another: each time there is room for a tenant of which nothing else is under way.
  await expect.poll(() => others.map(([tenant]) => ofTenant(tenant))).toEqual(others.map(() => 2));
  expect([...asked.values()].filter((state) => state === "hangs").length).toBeLessThanOrEqual(128);
  for (const [tenant] of tenants(HANGING, 0)) expect(ofTenant(tenant)).toBeGreaterThan(0);
  answer();
  await worker.idle();
  expect(asked.size).toBe(HANGING * 50 + others.length * 2);
  expect(errors).toEqual([]);
});

test("of the tenants that wait, one that is done wakes none but the next", async () => {
  let woken = 0;
  // From the beginning on: what waits already is not told of.
  onTestFinished(promiseHooks.onBefore(() => void (woken += 1)) as () => void);
  const { worker, asked, answer } = await working(Object.fromEntries(tenants(1000, 1)), () => true);
  await worker.look();
  await expect.poll(() => asked.size).toBe(128);
  woken = 0;
  answer(1);
  await expect.poll(() => asked.size).toBe(129);
  expect(woken).toBeLessThan(500);
});

test("no more than 128 are asked at once, and what waits for its turn keeps no memory for each end of another", async () => {
  setFlagsFromString("--expose-gc");
  // Flags count for contexts that are made later.
  const collect: unknown = runInNewContext("gc");
  const heap = (): number => {
    if (typeof collect === "function") collect();
    return process.memoryUsage().heapUsed;
  };
  const of = Object.fromEntries(tenants(400, 2));
  const { worker, asked, answer } = await working(of, () => true);
  const hanging = (): number => [...asked.values()].filter((state) => state === "hangs").length;
  await worker.look();
  await expect.poll(hanging).toBe(128);
  const before = heap();
  for (let end = 1; end <= 100; end += 1) {
    answer(1);
    await expect.poll(() => asked.size, { interval: 1 }).toBe(128 + end);
    expect(hanging()).toBe(128);
  }
  expect(heap() - before).toBeLessThan(20_000_000);
});
