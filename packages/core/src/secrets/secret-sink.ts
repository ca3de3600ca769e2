/**
 * Where the clear text of secrets ends: what is kept of them, and where it is found again.
 * @module
 */
import type { StoreScope } from "../store/port.ts";

/**
 * Takes the values of attributes that are writeOnly and returned never (`password`), so that nothing behind it ever
 * holds a clear one. Values come prepared (RFC 8265 §4.2), and many at a time: a sink bounds how many it works on at once, off
 * the event loop. It throws a ScimError `unavailable` where too many wait, and the reason of the scope's signal where that aborts.
 *
 * @example
 * const hashing = createScimService({ registry, store: sqlite.resources, secrets: sqlite.secrets, sources });
 */
export interface SecretSink {
  /** A salted hash of a value, slow to guess by, with all that comparing needs: a PHC string. */
  hash(scope: StoreScope, value: string): Promise<string>;
  /** Whether a value is the one that a hash was made of. Without a hash it is not, and takes as long to tell. */
  matches(scope: StoreScope, value: string, hash: string | null): Promise<boolean>;
}

/** A secret of a resource. */
export interface SecretTarget {
  /** Name of the resource type. */
  readonly type: string;
  readonly id: string;
  /** Attribute path, such as `password`. */
  readonly path: string;
}

/** The hashes of secrets that a store keeps beside its resources. */
export interface SecretHashes {
  /** The hash of a secret; null where the resource is not there, is deleted, or has none. */
  find(scope: StoreScope, target: SecretTarget): Promise<string | null>;
}

/** What a write makes of a secret. */
export interface SecretChange {
  /** Attribute path. */
  readonly path: string;
  /** Null: there is none any more. */
  readonly hash: string | null;
}
