/**
 * The texts that a client is known by: `client_id`, which holds the tenant so that its row is found by tenant first,
 * and secrets.
 * @module
 */
import { encodeBase64url } from "../credentials/base64url.ts";
import type { ClientName } from "./client.ts";

const CLIENT_ID = /^scimclient_(?<tenant>(?!v[0-9]+_)[a-z0-9][a-z0-9-]{0,62})_(?<id>[A-Za-z0-9-]{1,64})$/;
const SECRET = /^scimsecret_[A-Za-z0-9_-]{43}$/;
/** Bytes of a secret: 256 bits, 43 characters of base64url. */
const SECRET_BYTES = 32;

/**
 * The `client_id` of a client.
 *
 * @example
 * clientIdOf({ tenant: "acme", id: "0199…" }); // "scimclient_acme_0199…"
 */
export function clientIdOf({ tenant, id }: ClientName): string {
  return `scimclient_${tenant}_${id}`;
}

/** The client that a `client_id` names, or null where the text is none. Says nothing about whether there is one. */
export function clientOfId(text: string): ClientName | null {
  const { tenant, id } = CLIENT_ID.exec(text)?.groups ?? {};
  return tenant === undefined || id === undefined ? null : { tenant, id };
}

/** Makes the text of a new secret. */
export function newSecretText(randomBytes: (length: number) => Uint8Array): string {
  return `scimsecret_${encodeBase64url(randomBytes(SECRET_BYTES))}`;
}

/** Tells whether a text can be a secret of a client. */
export function isSecretText(text: string): boolean {
  return SECRET.test(text);
}
