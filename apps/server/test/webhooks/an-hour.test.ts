import { createModelCatalog } from "@scim/core";
import { seed } from "@scim/core/testing";
import { createDeliveryWorker, createWebhook } from "@scim/events";
import { createDefaultRegistry } from "@scim/schemas";
import { expect, onTestFinished, test } from "vitest";
import { deliveryForms, webhookParts } from "../../src/delivery/parts.ts";
import { createSender } from "../../src/delivery/sender.ts";
import { openStore } from "../../src/store/open-store.ts";
import { resolveSettings } from "../../src/settings/resolve.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { eventOf, startReceiver } from "./receiver.ts";

const HOUR_MS = 3_600_000;
const TENANT = "default";

test("a receiver that answers 500 for an hour is called ever more seldom, and then told everything in order", async () => {
  const { values: settings } = resolveSettings({
    flags: {},
    environment: {
      SCIM_DATABASE_URL: "sqlite::memory:",
      SCIM_SECRET_KEYS: SECRET_KEYS,
      SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
      SCIM_DELIVERY_PLAIN_HTTP: "allow",
    },
  });
  const opened = await openStore(settings);
  const sender = createSender({ allowed: { privateAddresses: true, plainHttp: true }, timeout: 2000 });
  onTestFinished(async () => {
    await sender.close();
    await opened.store.close();
  });
  let now = Date.UTC(2026, 2, 1);
  const start = now;
  const receiver = await startReceiver((_request, response) => void response.writeHead(500).end());
  const actor = { command: "scim webhook create" };
  const parts = { ...webhookParts(settings, opened, sender.send), now: () => now, actor };
  await createWebhook(parts, { tenant: TENANT, url: receiver.url });
  const worker = createDeliveryWorker({
    ...parts,
    events: opened.store.events,
    forms: deliveryForms({
      ...parts,
      catalog: createModelCatalog(createDefaultRegistry()),
      signer: { sign: async () => expect.unreachable("no token is sent") },
    }),
    random: () => 0.5,
    holder: "test",
    leaseMs: 30_000,
    giveUpAfter: 72 * HOUR_MS,
    isStopped: () => false,
    onError: (error) => expect.unreachable(String(error)),
  });
  const deliver = async (): Promise<void> => {
    await worker.look();
    await worker.idle();
  };
  const { resources, events } = opened.store;
  await seed(resources, [{ type: "User", id: "anna", body: { userName: "anna" } }], {
    tenant: TENANT,
    connection: "default",
  });
  while ((await events.assign(10)) > 0);

  const called: number[] = [];
  for (; now < start + HOUR_MS; now += 1000) {
    const before = receiver.arrived.length;
    await deliver();
    if (receiver.arrived.length > before) called.push(Math.round((now - start) / 1000));
  }
  expect(called).toEqual([0, 4, 12, 27, 57, 117, 237, 477, 957, 1917]);
  const [webhook] = await opened.store.receivers.list(TENANT);
  expect(webhook).toMatchObject({ state: "active", lastProblem: "The receiver answered 500." });

  receiver.behave((_request, response) => void response.writeHead(204).end());
  await seed(resources, [{ type: "User", id: "bo", body: { userName: "bo" } }], {
    tenant: TENANT,
    connection: "default",
  });
  while ((await events.assign(10)) > 0);
  now += HOUR_MS;
  await deliver();
  expect(
    receiver.arrived
      .slice(called.length)
      .map((one) => eventOf(one).data.id)
      .toSorted(),
  ).toEqual(["anna", "bo"]);
  expect((await opened.store.receivers.list(TENANT))[0]).toMatchObject({ position: 2, failingSince: null });
});
