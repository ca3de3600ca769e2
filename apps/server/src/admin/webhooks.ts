/**
 * `/admin/v1/tenants/{tenant}/webhooks`: addresses that are told of a tenant's events by signed requests.
 * @module
 */
import { createWebhook, rotateWebhookSecret, testWebhook, type WebhookTest } from "@scim/events";
import type { TenantStore } from "@scim/tenancy";
import type { FastifyPluginAsync } from "fastify";
import { shownReceiver } from "../delivery/shown-receiver.ts";
import { bodyOf, required, text } from "./body.ts";
import { tenantOf } from "./page-parameters.ts";
import { addReceiverRoutes, addressesOf, NEW_RECEIVER, overlapOf, receiverOf } from "./receivers.ts";
import { asks } from "./rights.ts";

/** What webhooks are administered with. */
export interface WebhookRoutes {
  readonly tenants: Pick<TenantStore, "find">;
  readonly parts: WebhookTest;
}

const NEW_WEBHOOK = { ...NEW_RECEIVER, url: text };

/** The routes of webhooks. */
export function webhookRoutes({ tenants, parts }: WebhookRoutes): FastifyPluginAsync {
  const { all, one } = addressesOf("webhook");
  return async (instance) => {
    addReceiverRoutes(instance, { family: "webhook", tenants, parts });
    instance.post(all, asks("change"), async (request, reply) => {
      const wanted = bodyOf(request, NEW_WEBHOOK);
      const url = required("url", wanted.url);
      const made = await createWebhook(parts, { ...wanted, tenant: tenantOf(request), url });
      const shown = await shownReceiver(parts.receivers, made.receiver);
      return reply.code(201).send({ ...shown, secret: made.secret });
    });
    instance.post(`${one}/rotate`, asks("change"), async (request) => {
      const made = await rotateWebhookSecret(parts, receiverOf(request), overlapOf(request));
      return { ...(await shownReceiver(parts.receivers, made.receiver)), secret: made.secret };
    });
    instance.post(`${one}/test`, asks("change"), async (request) => testWebhook(parts, receiverOf(request)));
  };
}
