/**
 * Delivery of events as a part of the server: its routes, its work beside the requests, and its end.
 * @module
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createModelCatalog } from "@scim/core";
import type { SchemaRegistry } from "@scim/schemas";
import type { FastifyPluginAsync } from "fastify";
import type { Logger } from "pino";
import { webhookRoutes } from "../admin/webhooks.ts";
import type { OpenedStore } from "../open-store.ts";
import type { Settings } from "../settings/table.ts";
import { deliveryForms, lazySender, webhookParts } from "./parts.ts";
import { startDelivery } from "./start-delivery.ts";

/** What delivery is made of. */
export interface DeliveryPlace {
  readonly settings: Settings;
  readonly opened: OpenedStore;
  readonly registry: SchemaRegistry;
  readonly log: Logger;
}

/** Delivery of events. */
export interface Delivery {
  /** Routes of the admin API. */
  readonly routes: readonly FastifyPluginAsync[];
  /** Begins to deliver. */
  start(): void;
  /** Delivers nothing more. A receiver that hangs does not hold it up: it is told again by the next process. */
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;
/** Milliseconds that requests to receivers have to end once no more are made (one second). */
const GRACE_MS = 1000;

/** Makes the delivery of a process. */
export function createDelivery({ settings, opened, registry, log }: DeliveryPlace): Delivery {
  const { store } = opened;
  const sender = lazySender(settings);
  const parts = webhookParts(settings, opened, sender.send);
  let stopWorker: () => Promise<void> = async () => undefined;
  return {
    routes: [webhookRoutes({ tenants: store.tenants, parts })],
    start: () => {
      stopWorker = startDelivery({
        ...parts,
        events: store.events,
        forms: deliveryForms(parts, createModelCatalog(registry)),
        random: Math.random,
        holder: randomUUID(),
        // A worker sees to its lease between requests, each of which ends in time.
        leaseMs: settings["delivery.timeout"] * 3,
        giveUpAfter: settings["delivery.giveUpAfter"] * HOUR_MS,
        onError: (error) => log.error({ err: error }, "delivering events failed, and is tried again"),
      });
    },
    stop: async () => {
      const stopped = stopWorker();
      await Promise.race([stopped, delay(GRACE_MS, undefined, { ref: false })]);
      await sender.close();
      await stopped;
    },
  };
}
