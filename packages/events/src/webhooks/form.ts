/**
 * Webhooks in the form of Standard Webhooks: the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 * @module
 */
import { catalogFor, type CatalogSource } from "@scim/core";
import { goodSecrets } from "../delivery/good-secrets.ts";
import { verdictByStatus, type DeliveryForm } from "../delivery/form.ts";
import type { OutgoingRequest, SecretSeal } from "../delivery/port.ts";
import type { Receiver } from "../delivery/receiver.ts";
import type { KeyedDigest } from "../keys.ts";
import { messageId, webhookBody } from "./message.ts";
import { signWebhook } from "./secret.ts";

/** What webhooks are made with. */
export interface WebhookParts {
  /** Tells which attributes are secret. */
  readonly catalog: CatalogSource;
  readonly hmac: KeyedDigest;
  readonly seal: Pick<SecretSeal, "open">;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** The form of webhooks. */
export function createWebhookForm(parts: WebhookParts): DeliveryForm {
  return {
    request: async (receiver, event) => {
      const body = JSON.stringify(
        webhookBody(await catalogFor(parts.catalog, receiver.tenant), receiver, event),
      );
      return signedRequest(parts, receiver, { id: messageId(receiver.tenant, event), body });
    },
    verdict: verdictByStatus,
  };
}

/**
 * A request that is signed with every secret of a receiver that is good now.
 * @throws ScimError `conflict` where none can be read
 */
export function signedRequest(
  { hmac, seal, now }: Omit<WebhookParts, "catalog">,
  { url, secrets }: Pick<Receiver, "url" | "secrets">,
  { id, body }: { readonly id: string; readonly body: string },
): OutgoingRequest {
  const present = now();
  const good = goodSecrets(seal, secrets, present);
  const timestamp = Math.floor(present / 1000);
  return {
    url,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signWebhook(hmac, good, { id, timestamp, body }),
    },
    body,
  };
}
