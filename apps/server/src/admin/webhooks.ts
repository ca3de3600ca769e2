/**
 * `/admin/v1/tenants/{tenant}/webhooks`: addresses that are told of a tenant's events by signed requests; and
 * `/admin/v1/webhooks`, for owners: those that are told of the trail of administration.
 * @module
 */
import type { CatalogSource } from "@scim/core";
import {
  changeReceiver,
  createWebhook,
  rotateWebhookSecret,
  testWebhook,
  type WebhookTest,
} from "@scim/events";
import type { TenantStore } from "@scim/tenancy";
import type { FastifyPluginAsync } from "fastify";
import type { Unattributed } from "../delivery/parts.ts";
import { shownReceiver } from "../delivery/shown-receiver.ts";
import { noticesMember, noticesOfWanted } from "../schemas/missing-types.ts";
import { bodyOf, required, text } from "./body.ts";
import {
  actingFor,
  addReceiverRoutes,
  CHANGE,
  NEW_RECEIVER,
  overlapOf,
  placeOfTenants,
  receiverOf,
  type ReceiverPlace,
} from "./receivers.ts";
import { asks } from "./rights.ts";

/** What webhooks are administered with. */
export interface WebhookRoutes {
  readonly tenants: Pick<TenantStore, "find">;
  readonly catalog: CatalogSource;
  readonly parts: Unattributed<WebhookTest>;
}

const NEW_WEBHOOK = { ...NEW_RECEIVER, url: text };

/** The routes of webhooks: of one place, those of tenants or of the trail of administration. */
export function webhookRoutes(
  { tenants, catalog, parts }: WebhookRoutes,
  place: ReceiverPlace = placeOfTenants("webhook"),
): FastifyPluginAsync {
  const { all, changes } = place;
  const one = `${all}/:id`;
  return async (instance) => {
    addReceiverRoutes(instance, {
      family: "webhook",
      place,
      tenants,
      catalog,
      parts,
      change: async (request, expected) => {
        const change = bodyOf(request, CHANGE);
        const receiver = await changeReceiver(actingFor(parts, request), await expected(), change);
        return { receiver, types: change.types };
      },
    });
    instance.post(all, changes, async (request, reply) => {
      const wanted = bodyOf(request, NEW_WEBHOOK);
      const url = required("url", wanted.url);
      const tenant = place.tenantOf(request);
      const made = await createWebhook(actingFor(parts, request), { ...wanted, tenant, url });
      const shown = await shownReceiver(parts.receivers, made.receiver);
      const notices = await noticesOfWanted(catalog, tenant, wanted.types);
      return reply.code(201).send({ ...shown, secret: made.secret, ...noticesMember(notices) });
    });
    instance.post(`${one}/rotate`, changes, async (request) => {
      const name = receiverOf(place, request);
      const made = await rotateWebhookSecret(actingFor(parts, request), name, overlapOf(request));
      return { ...(await shownReceiver(parts.receivers, made.receiver)), secret: made.secret };
    });
    const { right, of } = changes.config.asks;
    instance.post(`${one}/test`, asks(right, of), async (request) => {
      bodyOf(request, {});
      return testWebhook(actingFor(parts, request), receiverOf(place, request));
    });
  };
}
