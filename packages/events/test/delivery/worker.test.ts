import { createMemoryStore, createPlan, SCOPE } from "@scim/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { createDeliveryWorker, type DeliveryForm } from "../../src/index.ts";
import { verdictByStatus } from "../../src/delivery/form.ts";
import { createMemoryReceivers, sampleReceiver } from "../../src/testing/index.ts";

/** Sends where the receiver is. */
const FORM: DeliveryForm = {
  request: async ({ url }) => ({ url, headers: {}, body: "" }),
  verdict: verdictByStatus,
};

/** Receivers of each of these tenants that never answer. */
const HANGING = 50;
const OF_TENANTS = ["a", "b", "c"];

test("receivers of some tenants that hang, however many, hold up no other tenant, and a look not either", async () => {
  const store = createMemoryStore();
  const receivers = createMemoryReceivers(store.events);
  const add = async (tenant: string, id: string): Promise<void> => {
    const url = `https://${tenant}.example/${id}`;
    await receivers.add(sampleReceiver({ tenant, id, url, types: [] }));
  };
  for (const tenant of [...OF_TENANTS, "z"]) {
    await store.write({ ...SCOPE, tenant }, createPlan({ type: "User", id: "u", body: { userName: "u" } }));
  }
  await store.events.assign(100);
  for (const tenant of OF_TENANTS) for (let at = 0; at < HANGING; at += 1) await add(tenant, `r${at}`);
  await add("z", "r");

  const { promise: end, resolve: answer } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const errors: unknown[] = [];
  const worker = createDeliveryWorker({
    receivers,
    events: store.events,
    forms: { webhook: FORM, push: FORM },
    send: async ({ url }) => {
      asked.push(url);
      if (!url.startsWith("https://z.")) await end;
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
  onTestFinished(() => worker.idle());
  onTestFinished(() => answer());
  await worker.look();
  await worker.look();
  await expect.poll(() => asked).toContain("https://z.example/r");
  const hanging = OF_TENANTS.map((tenant) => asked.filter((url) => url.startsWith(`https://${tenant}.`)));
  for (const urls of hanging) expect(urls.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThan(64);
  answer();
  await worker.idle();
  expect(new Set(asked).size).toBe(OF_TENANTS.length * HANGING + 1);
  expect(errors).toEqual([]);
});
