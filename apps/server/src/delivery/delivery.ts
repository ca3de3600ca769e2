/**
 * Delivery of events as a part of the server: its routes, its work beside the requests, and its end.
 * @module
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { RequestLimiter } from "@scim/core";
import { type AttemptParts, createTokenSigner } from "@scim/events";
import type { RequestRecord } from "@scim/http";
import type { FastifyPluginAsync } from "fastify";
import type { Logger } from "pino";
import { PLACE_OF_TRAIL } from "../admin/receivers.ts";
import { signingKeyRoutes, streamRoutes } from "../admin/streams.ts";
import { webhookRoutes } from "../admin/webhooks.ts";
import type { OpenedStore } from "../store/open-store.ts";
import type { Settings } from "../settings/table.ts";
import { activeTenants } from "./active-tenants.ts";
import { HOUR_MS } from "./overlap.ts";
import { deliveryForms, lazySender, streamParts, webhookParts } from "./parts.ts";
import { startDelivery } from "./start-delivery.ts";
import { tokenRoutes } from "./token-routes.ts";
import { unmadeMessages } from "./unmade-messages.ts";

/** What delivery is made of. */
export interface DeliveryPlace {
  readonly settings: Settings;
  readonly opened: OpenedStore;
  readonly log: Logger;
  /** Counts polls, and credentials that are refused. */
  readonly limiter: Pick<RequestLimiter, "admit" | "refused">;
  /** Told of each request of a receiver when it is answered. */
  readonly onRequestDone: (record: RequestRecord) => void;
  /** Told of each attempt. */
  readonly onAttempt: AttemptParts["onAttempt"];
}

/** Delivery of events. */
export interface Delivery {
  /** Routes of the admin API. */
  readonly routes: readonly FastifyPluginAsync[];
  /** Routes for receivers. */
  readonly receiverRoutes: FastifyPluginAsync;
  /** Begins to deliver. `origin` is where the service is reached, where no setting says. */
  start(origin: string): void;
  /** Delivers nothing more. A receiver that hangs does not hold it up: it is told again by the next process. */
  stop(): Promise<void>;
}

/** Milliseconds that requests to receivers have to end once no more are made (one second). */
const GRACE_MS = 1000;

/** Makes the delivery of a process. */
export function createDelivery(place: DeliveryPlace): Delivery {
  const { settings, opened, log, limiter, onRequestDone, onAttempt } = place;
  const { store } = opened;
  const sender = lazySender(settings);
  const parts = webhookParts(settings, opened, sender.send);
  const streams = streamParts(settings, opened);
  const catalog = opened.rules.catalogOf;
  let reachedAt = settings.baseUrl ?? "";
  const issuerOf = (tenant: string): string => `${reachedAt}/scim/${tenant}/v2`;
  const signer = createTokenSigner({ ...streams, catalog, issuerOf });
  const { receivers, events } = store;
  const isActive = activeTenants(store.tenants);
  const { now } = parts;
  let stopWorker: () => Promise<void> = async () => undefined;
  return {
    routes: [
      webhookRoutes({ tenants: store.tenants, catalog, parts }),
      webhookRoutes({ tenants: store.tenants, catalog, parts }, PLACE_OF_TRAIL),
      streamRoutes({ tenants: store.tenants, catalog, parts: streams }),
      signingKeyRoutes(streams),
    ],
    receiverRoutes: tokenRoutes({
      keys: streams,
      admission: { credentials: { ...streams, ...opened.auditKeys }, isActive, limiter },
      onRequestDone,
      poll: { receivers, events, signer, now, newHolder: randomUUID },
    }),
    start: (origin) => {
      reachedAt = settings.baseUrl ?? origin;
      stopWorker = startDelivery({
        ...parts,
        events,
        isActive,
        forms: deliveryForms({ ...parts, catalog, signer }),
        random: Math.random,
        ...unmadeMessages(log, onAttempt),
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
