/**
 * Webhooks as commands administer them: on the database, or at a running server.
 * @module
 */
import {
  createWebhook,
  rotateWebhookSecret,
  testWebhook,
  type Verdict,
  type WebhookTest,
} from "@scim/events";
import { type AdminClient, type AdminRequest, at, typedOf } from "../remote/admin-requests.ts";
import { HOUR_MS } from "./overlap.ts";
import { noticesOfWanted, type WithCatalog } from "../schemas/missing-types.ts";
import {
  madeIn,
  type MadeReceiver,
  type ReceiverAdministration,
  receiversAtServer,
  type ReceiverSettings,
  receiversHere,
  receiversPath,
} from "./receiver-administration.ts";

/** What commands do to the webhooks of a tenant. */
export interface WebhookAdministration extends ReceiverAdministration {
  create(url: string, settings: ReceiverSettings): Promise<MadeReceiver>;
  /** @param overlap hours that the old secret stays good */
  rotate(id: string, overlap: number): Promise<MadeReceiver>;
  test(id: string): Promise<Verdict>;
}

/** Webhooks of the database. */
export function webhooksHere(parts: WebhookTest & WithCatalog, tenant: string): WebhookAdministration {
  return {
    ...receiversHere(parts, "webhook", tenant),
    create: async (url, settings) => {
      const { receiver, secret } = await createWebhook(parts, { tenant, url, ...settings });
      return {
        tenant,
        id: receiver.id,
        secret,
        notices: await noticesOfWanted(parts.catalog, tenant, settings.types),
      };
    },
    rotate: async (id, overlap) => {
      const { secret } = await rotateWebhookSecret(parts, { tenant, id }, overlap * HOUR_MS);
      return { tenant, id, secret, notices: [] };
    },
    test: (id) => testWebhook(parts, { tenant, id }),
  };
}

/** What a server answers where it made a secret. */
const MADE = ["tenant", "id", "secret"] as const;

/** Webhooks of a server. */
export function webhooksAtServer(admin: AdminClient, tenant: string): WebhookAdministration {
  const path = receiversPath("webhook", tenant);
  const post = (below: string, { body = {}, answers = [] }: Pick<AdminRequest, "body" | "answers">) =>
    admin.send({ method: "POST", path: `${path}${below}`, body, answers });
  return {
    ...receiversAtServer(admin, "webhook", tenant),
    create: async (url, settings) =>
      madeIn(await post("", { body: { url, ...settings }, answers: MADE }), "secret"),
    rotate: async (id, overlap) =>
      madeIn(await post(at`/${id}/rotate`, { body: { overlapHours: overlap }, answers: MADE }), "secret"),
    test: async (id) => typedOf<Verdict>(await post(at`/${id}/test`, {}), ["kind"]),
  };
}
