/**
 * How bodies are read that are too long to be held in memory: whoever has threads says so to the handler.
 * @module
 */
import type { OpenLongBody, StagedBody } from "@scim/core";
import type { JsonValue } from "@scim/schemas";
import type { HttpLimits } from "../limits.ts";

/** A long body on its way. */
export interface LongBodySource {
  /** Whose it is: tenants have their turns. */
  readonly tenant: string;
  /** Opens the place where its values go, once it is read. Whoever gave this closes it. */
  readonly open: OpenLongBody;
  /** The next bytes, or null at the end: more are taken from the client when they are asked for. */
  readonly next: () => Promise<Uint8Array | null>;
  readonly limits: HttpLimits;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal | undefined;
}

/** What a long body came to. */
export interface ReadLongBody {
  /** What is not in a long list: there an empty one stands. */
  readonly body: JsonValue;
  readonly staged: StagedBody;
}

/**
 * Reads a long body to its end.
 * @throws ScimError as for a body that is held; `unavailable` where too many are read already
 */
export type LongBodyReader = (source: LongBodySource) => Promise<ReadLongBody>;
