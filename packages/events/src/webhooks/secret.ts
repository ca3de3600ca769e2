/**
 * Secrets of webhooks, as Standard Webhooks has them: `whsec_` and 24 to 64 bytes as base64.
 * @module
 */
import type { KeyedDigest } from "../keys.ts";

const PREFIX = "whsec_";
const BYTES = 32;

/** Makes a secret of 32 unpredictable bytes. */
export function newWebhookSecret(randomBytes: (length: number) => Uint8Array): string {
  return PREFIX + btoa(String.fromCharCode(...randomBytes(BYTES)));
}

/** The bytes that a secret signs with. */
function keyOf(secret: string): Uint8Array {
  return Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
}

/** What a signature covers. */
export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature`: `v1,` and an HMAC-SHA-256 as base64 for each secret, separated by spaces. */
export function signWebhook(
  hmac: KeyedDigest,
  secrets: readonly string[],
  { id, timestamp, body }: SignedMessage,
): string {
  return secrets
    .map((secret) => `v1,${base64Of(hmac(keyOf(secret), `${id}.${timestamp}.${body}`))}`)
    .join(" ");
}

/** 32 bytes as base64, of their base64url. */
function base64Of(text: string): string {
  return `${text.replaceAll("-", "+").replaceAll("_", "/")}=`;
}
