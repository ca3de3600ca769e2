/**
 * The DryRunResponse message: what a change would have come to. RFC 7644 knows no dry runs; the message is ours.
 * @module
 */
import type { JsonObject } from "../json.ts";
import { DRY_RUN_RESPONSE_URN } from "../urns.ts";
import type { PatchOperation } from "./patch-op.ts";

/** The outcome of a change that was tried out. Nothing was written. */
export interface DryRunResponse {
  readonly schemas: readonly string[];
  /** Whether the change would have been made. */
  readonly valid: boolean;
  /** The HTTP status that the change would have been answered with, as a string: `201`. */
  readonly status: string;
  /** The resource as it would be; null where the change fails or deletes it. */
  readonly resource: JsonObject | null;
  /** What would change, as PATCH operations on the resource as it is. */
  readonly diff: readonly PatchOperation[];
  /** The Error message where the change fails. */
  readonly error?: JsonObject;
}

/** What a dry run came to. */
export interface DryRunOutcome {
  readonly valid: boolean;
  /** HTTP status. */
  readonly status: number;
  readonly resource: JsonObject | null;
  readonly diff: readonly PatchOperation[];
  /** Such as a `ScimError`; null where the change would be made. */
  readonly error: { toJSON(): JsonObject } | null;
}

/**
 * Makes the message of an outcome.
 *
 * @example
 * dryRunResponse({ valid: true, status: 204, resource: null, diff: [], error: null });
 */
export function dryRunResponse({ valid, status, resource, diff, error }: DryRunOutcome): DryRunResponse {
  return {
    schemas: [DRY_RUN_RESPONSE_URN],
    valid,
    status: String(status),
    resource,
    diff,
    ...(error === null ? {} : { error: error.toJSON() }),
  };
}
