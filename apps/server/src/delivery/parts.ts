/**
 * What receivers of events are administered with and delivered to, wired to the database and the network.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { CatalogSource } from "@scim/core";
import {
  createPushForm,
  createWebhookForm,
  type AllowedAddresses,
  type Deciding,
  type DeliveryForm,
  type SendEvent,
  type SentKind,
  type StreamPorts,
  type TokenSigner,
  type WebhookTest,
} from "@scim/events";
import { createKeySeal, SEAL_PURPOSES } from "../credentials/key-seal.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { OnFirstUse } from "../on-first-use.ts";
import type { Settings } from "../settings/table.ts";
import { newResourceId } from "../sources.ts";

/** What sends, and ends it. */
export interface LazySender {
  readonly send: SendEvent;
  close(): Promise<void>;
}

/** Which addresses the settings allow. */
export function allowedAddresses(
  settings: Pick<Settings, "delivery.privateAddresses" | "delivery.plainHttp">,
): AllowedAddresses {
  return {
    privateAddresses: settings["delivery.privateAddresses"] === "allow",
    plainHttp: settings["delivery.plainHttp"] === "allow",
  };
}

/** Makes what sends. Its code is loaded with the first request: many services have no receiver. */
export function lazySender(settings: Settings): LazySender {
  const sender = new OnFirstUse(async () => {
    const { createSender } = await import("./sender.ts");
    return createSender({ allowed: allowedAddresses(settings), timeout: settings["delivery.timeout"] });
  });
  return {
    send: async (request) => (await sender.get()).send(request),
    close: async () => (await sender.found())?.close(),
  };
}

/** Parts without who acts: an administrator who is known by the request. */
export type Unattributed<Parts extends Deciding> = Omit<Parts, "actor">;

/** What administration of webhooks works with. */
export function webhookParts(
  settings: Settings,
  opened: OpenedStore,
  send: SendEvent,
): Unattributed<WebhookTest> {
  return { ...receiverParts(settings, opened), hmac: opened.auditKeys.hmac, send };
}

/** What administration of streams works with. */
export function streamParts(settings: Settings, opened: OpenedStore): Unattributed<StreamPorts> {
  return { ...receiverParts(settings, opened), signingKeys: opened.store.signingKeys };
}

/** What both are made with. */
function receiverParts(
  settings: Settings,
  { store, auditKeys }: OpenedStore,
): Omit<StreamPorts, "signingKeys" | "actor"> {
  return {
    receivers: store.receivers,
    events: store.events,
    allowed: allowedAddresses(settings),
    newId: newResourceId,
    now: Date.now,
    random: Math.random,
    randomBytes,
    seal: createKeySeal(auditKeys.keys, SEAL_PURPOSES.receiver),
  };
}

/** What the forms of deliveries are made with. */
export interface FormParts extends Pick<WebhookTest, "hmac" | "seal" | "now"> {
  readonly catalog: CatalogSource;
  readonly signer: TokenSigner;
}

/** The forms of everything that is sent. */
export function deliveryForms(parts: FormParts): Readonly<Record<SentKind, DeliveryForm>> {
  return { webhook: createWebhookForm(parts), push: createPushForm(parts) };
}
