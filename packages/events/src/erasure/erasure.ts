/**
 * The list of those who were erased: it names nobody, and yet tells of an id that is known whether it is on the list, so
 * that what a backup brings back can be erased anew.
 * @module
 */
import { type AuditKeys, signingKey } from "../keys.ts";

/** A subject of a tenant: the `id` of a resource, whatever its type. */
export interface Subject {
  readonly tenant: string;
  readonly id: string;
}

/** An entry of the list. */
export interface Erasure {
  readonly tenant: string;
  /** HMAC-SHA-256 of the subject, base64url. */
  readonly subject: string;
  /** Id of the key that made it. */
  readonly key: string;
  /** When it was asked for, UTC with milliseconds. */
  readonly at: string;
}

/** What the list is made and read with. */
export type ErasureKeys = Pick<AuditKeys, "keys" | "hmac">;

/** A key that made entries of a list is not among the keys. */
export class ErasureKeyMissing extends Error {
  override readonly name = "ErasureKeyMissing";

  constructor(key: string) {
    super(`The list of erasures was made with key '${key}', which is not among the secret keys: give it too`);
  }
}

/** The entry of a subject. `at` is the present, UTC with milliseconds. */
export function erasureOf(keys: ErasureKeys, { tenant, id }: Subject, at: string): Erasure {
  const { id: key, secret } = signingKey(keys);
  return { tenant, subject: keys.hmac(secret, subjectText(tenant, id)), key, at };
}

/** Finds subjects that a list names. */
export interface ErasureList {
  /** The entry of a subject; null where the list does not name it. */
  find(subject: Subject): Erasure | null;
}

/**
 * Reads a list.
 * @throws ErasureKeyMissing
 */
export function readErasures({ keys, hmac }: ErasureKeys, erasures: readonly Erasure[]): ErasureList {
  const known = new Map(erasures.map((erasure) => [`${erasure.tenant} ${erasure.subject}`, erasure]));
  const made = [...new Set(erasures.map(({ key }) => key))].map((id) => {
    const key = keys.find((each) => each.id === id);
    if (key === undefined) throw new ErasureKeyMissing(id);
    return key;
  });
  return {
    find: ({ tenant, id }) => {
      for (const { secret } of made) {
        const found = known.get(`${tenant} ${hmac(secret, subjectText(tenant, id))}`);
        if (found !== undefined) return found;
      }
      return null;
    },
  };
}

function subjectText(tenant: string, id: string): string {
  return `erased subject\n${JSON.stringify([tenant, id])}`;
}
