/**
 * The secrets of a receiver: which are good at an instant, and how they are changed.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { SecretSeal } from "./port.ts";
import type { ReceiverSecret } from "./receiver.ts";

/**
 * The texts of secrets whose time is not over, the newest last. Those that the keys of the service cannot read are left
 * out.
 * @param now milliseconds since 1970
 */
export function readableSecrets(
  seal: Pick<SecretSeal, "open">,
  secrets: readonly ReceiverSecret[],
  now: number,
): readonly string[] {
  return secrets.flatMap(({ sealed, expires }) => {
    const isOver = expires !== null && Date.parse(expires) <= now;
    return isOver ? [] : (seal.open(sealed) ?? []);
  });
}

/**
 * The secrets that a message is made with: the readable ones.
 * @param now milliseconds since 1970
 * @throws ScimError `conflict` where none can be read
 */
export function goodSecrets(
  seal: Pick<SecretSeal, "open">,
  secrets: readonly ReceiverSecret[],
  now: number,
): readonly string[] {
  const good = readableSecrets(seal, secrets, now);
  if (good.length > 0) return good;
  throw new ScimError(
    "conflict",
    "No secret of the receiver can be read with the keys of the service. Rotate it, or send 'authorization' of a stream that is pushed anew; or give the service the keys that it was sealed with.",
  );
}

/** Secrets that are good at once: more than this, and the oldest goes. */
const MOST_SECRETS = 5;

/**
 * Secrets with a new one; those whose time is over are gone.
 * @param overlap milliseconds that the others stay good behind the making of the new one
 */
export function withNewSecret(
  secrets: readonly ReceiverSecret[],
  secret: ReceiverSecret,
  overlap: number,
): readonly ReceiverSecret[] {
  const end = new Date(Date.parse(secret.created) + overlap).toISOString();
  const kept = secrets
    .map((old) => ({ ...old, expires: old.expires === null || old.expires > end ? end : old.expires }))
    .filter(({ expires }) => expires > secret.created)
    .slice(1 - MOST_SECRETS);
  return [...kept, secret];
}
