/**
 * The secrets of a receiver: which are good at an instant, and how they are changed.
 * @module
 */
import type { SecretSeal } from "./port.ts";
import type { ReceiverSecret } from "./receiver.ts";

/**
 * The texts of secrets whose time is not over, the newest last.
 * @param now milliseconds since 1970
 * @throws TypeError where none can be read
 */
export function goodSecrets(
  seal: Pick<SecretSeal, "open">,
  secrets: readonly ReceiverSecret[],
  now: number,
): readonly string[] {
  const good = secrets.flatMap(({ sealed, expires }) => {
    const isOver = expires !== null && Date.parse(expires) <= now;
    return isOver ? [] : (seal.open(sealed) ?? []);
  });
  if (good.length > 0) return good;
  throw new TypeError("no secret can be read with the keys of the service; rotate the secret.");
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
