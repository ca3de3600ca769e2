/**
 * The list of those who were erased: it names nobody, and yet tells of an id that is known whether it is on the list, so
 * that what a backup brings back can be erased anew.
 * @module
 */
import { type AuditKeys, signingKey } from "../keys.ts";

/** A subject of a tenant: the `id` of a resource. */
export interface Subject {
  readonly tenant: string;
  readonly id: string;
  /**
   * Name of its resource type. Left out, nobody has said it: an `id` is unique over all types (RFC 7643 §3.1), and where a database
   * that took ids over has resources of several types under one, it has to be said.
   */
  readonly type?: string | undefined;
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

/** Resources of several types have, or had, an id that is to be erased: nobody is, until the type is said of whom it is meant. */
export class SubjectOfSeveralTypes extends Error {
  override readonly name = "SubjectOfSeveralTypes";
  /** Their names, in order. */
  readonly types: readonly string[];

  constructor({ tenant, id }: Subject, types: readonly string[]) {
    const named = types.toSorted();
    super(
      `In tenant '${tenant}', resources of several types have, or had, the id '${id}': ${named.join(", ")}. Say the type of the one that is to be erased: --type NAME, ?type=NAME`,
    );
    this.types = named;
  }
}

/** The entry of a subject; of one whose type is told, another than without. `at` is the present, UTC with milliseconds. */
export function erasureOf(keys: ErasureKeys, subject: Subject, at: string): Erasure {
  const { id: key, secret } = signingKey(keys);
  return { tenant: subject.tenant, subject: keys.hmac(secret, subjectText(subject)), key, at };
}

/** Finds subjects that a list names. */
export interface ErasureList {
  /** The entry of a subject, with its type or without; null where the list does not name it so. */
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
    find: (subject) => {
      for (const { secret } of made) {
        const found = known.get(`${subject.tenant} ${hmac(secret, subjectText(subject))}`);
        if (found !== undefined) return found;
      }
      return null;
    },
  };
}

function subjectText({ tenant, id, type }: Subject): string {
  return `erased subject\n${JSON.stringify(type === undefined ? [tenant, id] : [tenant, id, type])}`;
}
