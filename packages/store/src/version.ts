/**
 * Raw versions: a revision and a nonce. A bare counter would repeat after a restore from a backup or a
 * failover, and a stale If-Match would pass.
 * @module
 */

const NONCE = /^[A-Za-z0-9_-]{1,64}$/;

/** The version of a resource that was written for the first time. */
export function firstVersion(nonce: string): string {
  return versionOf(1, nonce);
}

/**
 * The version that follows another. The revision is read from `expected`, so it is right exactly where
 * the statement finds that version in place. Null where `expected` is no version of this store.
 */
export function nextVersion(expected: string, nonce: string): string | null {
  const revision = revisionOf(expected);
  return Number.isSafeInteger(revision) && revision > 0 ? versionOf(revision + 1, nonce) : null;
}

/** The revision that a version names; NaN where it is no version of this store. */
export function revisionOf(version: string): number {
  return Number.parseInt(version.split("-", 1)[0] ?? "", 36);
}

function versionOf(revision: number, nonce: string): string {
  if (!NONCE.test(nonce)) throw new TypeError("A nonce is 1 to 64 characters of A-Z, a-z, 0-9, _ and -");
  return `${revision.toString(36)}-${nonce}`;
}
