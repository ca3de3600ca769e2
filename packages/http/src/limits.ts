/**
 * Limits against oversized input.
 * @module
 */
import type { ServedType } from "@scim/core";
import type { BodyLimit } from "./body.ts";
import type { StreamTimes } from "./body-stream.ts";

/** What one request may cost before the service sees it. */
export interface HttpLimits {
  /** Greatest body, in bytes. Default 1048576 (1 MiB). */
  readonly bodyBytes: number;
  /**
   * Greatest body of a POST or PUT for a resource type that holds reference collections, such as Group. One of more
   * than `bodyBytes` is read on a thread of its own and never held. Default 67108864 (64 MiB).
   */
  readonly collectionBodyBytes: number;
  /**
   * Greatest body for such a type that has to be held: of a PATCH, of a dry run, and where the store has no place for
   * the values of a longer one. Default 4194304 (4 MiB).
   */
  readonly heldBodyBytes: number;
  /** Greatest bulk job, as ServiceProviderConfig advertises it (`bulk.maxPayloadSize`). Default 4194304 (4 MiB). */
  readonly bulkBodyBytes: number;
  /** Milliseconds that a client may take to come back for more of a streamed answer. Default 60000 (a minute). */
  readonly streamPatience: number;
  /**
   * Milliseconds that a client may take for a whole streamed answer, however steadily it reads: the state of the store that
   * it is read from is held until then. Default 600000 (10 minutes).
   */
  readonly streamDuration: number;
  /** How deep arrays and objects may nest in a body. Default 64. */
  readonly jsonDepth: number;
}

/** The limits that hold where none are given. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytes: 1_048_576,
  collectionBodyBytes: 67_108_864,
  heldBodyBytes: 4_194_304,
  bulkBodyBytes: 4_194_304,
  streamPatience: 60_000,
  streamDuration: 600_000,
  jsonDepth: 64,
};

/** How long a streamed answer is held for its client. */
export function streamTimes({ streamPatience, streamDuration }: HttpLimits): StreamTimes {
  return { patience: streamPatience, duration: streamDuration };
}

/** The limit for a resource of a type that is held, or a PATCH of one; without a type, for any other message. */
export function messageLimit(limits: HttpLimits, type: ServedType | null): BodyLimit {
  const { bodyBytes, collectionBodyBytes, heldBodyBytes } = limits;
  const bytes = type?.hasCollections === true ? Math.min(heldBodyBytes, collectionBodyBytes) : bodyBytes;
  return { bytes, advertised: null };
}

/** The limit for a POST or PUT of a type with collections that has to be held: at least that of all other types. */
export function heldLimit(limits: HttpLimits, type: ServedType): BodyLimit {
  const { bodyBytes, collectionBodyBytes } = limits;
  const { bytes, advertised } = messageLimit(limits, type);
  return { bytes: Math.max(bytes, Math.min(bodyBytes, collectionBodyBytes)), advertised };
}

/** The limit for a body that need not be held. */
export function longBodyLimit({ collectionBodyBytes }: HttpLimits): BodyLimit {
  return { bytes: collectionBodyBytes, advertised: null };
}

/** The limit for a bulk job (RFC 7644 §3.7.4). */
export function bulkLimit(limits: HttpLimits): BodyLimit {
  return { bytes: limits.bulkBodyBytes, advertised: "bulk.maxPayloadSize" };
}
