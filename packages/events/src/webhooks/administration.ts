/**
 * Webhooks made, their secrets changed, and tried out.
 * @module
 */
import {
  checkSettings,
  replaceReceiver,
  findReceiver,
  type ReceiverPorts,
} from "../delivery/administration.ts";
import { addReceiver, beginningOf, newReceiver } from "../delivery/new-receiver.ts";
import { withNewSecret } from "../delivery/good-secrets.ts";
import { verdictByStatus, type Verdict } from "../delivery/form.ts";
import type { SecretSeal, SendEvent } from "../delivery/port.ts";
import type { Receiver, ReceiverName, ReceiverSecret } from "../delivery/receiver.ts";
import type { KeyedDigest } from "../keys.ts";
import { signedRequest } from "./form.ts";
import { newWebhookSecret } from "./secret.ts";

/** What administration of webhooks needs. */
export interface WebhookPorts extends ReceiverPorts {
  readonly randomBytes: (length: number) => Uint8Array;
  readonly seal: SecretSeal;
}

/** A webhook to make. */
export interface NewWebhook {
  readonly tenant: string;
  readonly url: string;
  /** Which events: `User`, `User.deleted`, `*.deleted`. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** Default `reference`: what changed, without values of persons. */
  readonly payload?: Receiver["payload"] | undefined;
  /** The position that it begins behind. Default: the last, so that it is told what happens from now on. */
  readonly since?: number | undefined;
}

/** A webhook, and the secret that nothing shows again. */
export interface MadeSecret {
  readonly receiver: Receiver;
  /** `whsec_…`, for the receiver to verify signatures with. */
  readonly secret: string;
}

/**
 * Makes a webhook.
 * @throws ScimError `invalidValue`
 */
export async function createWebhook(ports: WebhookPorts, wanted: NewWebhook): Promise<MadeSecret> {
  const { tenant, url, types = [], payload = "reference" } = wanted;
  checkSettings(ports, { url, types });
  const position = await beginningOf(ports, { family: "webhook", tenant }, wanted.since);
  const text = newWebhookSecret(ports.randomBytes);
  const receiver = newReceiver(ports, {
    tenant,
    kind: "webhook",
    url,
    types,
    payload,
    audience: null,
    position,
    secrets: [sealedSecret(ports, text)],
  });
  await addReceiver(ports, receiver);
  return { receiver, secret: text };
}

function sealedSecret({ seal, newId, now }: WebhookPorts, text: string): ReceiverSecret {
  return { id: newId(), sealed: seal.seal(text), created: new Date(now()).toISOString(), expires: null };
}

/**
 * Gives a webhook a new secret. The others sign beside it until their time is over, so that the receiver can change
 * over meanwhile.
 * @param overlap milliseconds that the others stay good: 0 or more
 * @throws ScimError `notFound`
 */
export async function rotateWebhookSecret(
  ports: WebhookPorts,
  name: ReceiverName,
  overlap: number,
): Promise<MadeSecret> {
  const text = newWebhookSecret(ports.randomBytes);
  const secret = sealedSecret(ports, text);
  const receiver = await replaceReceiver(ports, { family: "webhook", name }, ({ secrets }) => ({
    secrets: withNewSecret(secrets, secret, overlap),
  }));
  return { receiver, secret: text };
}

/** What a webhook is tried out with. */
export interface WebhookTest extends WebhookPorts {
  readonly hmac: KeyedDigest;
  readonly send: SendEvent;
}

/**
 * Sends a message of the type `webhook.test`, once, whatever state the webhook is in. Resolves to what the answer would
 * mean for an event.
 * @throws ScimError `notFound`; `conflict` where no secret of the webhook can be read
 */
export async function testWebhook(parts: WebhookTest, name: ReceiverName): Promise<Verdict> {
  const receiver = await findReceiver(parts, "webhook", name);
  const body = JSON.stringify({
    type: "webhook.test",
    timestamp: new Date(parts.now()).toISOString(),
    data: { tenant: name.tenant, webhook: name.id },
  });
  const request = signedRequest(parts, receiver, { id: `test_${parts.newId()}`, body });
  return verdictByStatus(await parts.send(request));
}
