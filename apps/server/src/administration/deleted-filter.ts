/**
 * Which deleted resources are asked for: those of a type, and of a time.
 * @module
 */
import type { DeletedPlace } from "@scim/core";
import { askedInstant } from "@scim/events";
import { ScimError } from "@scim/schemas";

/** What is asked for, as flags and parameters give it; null or undefined where nothing is said. */
export interface AskedDeleted {
  readonly type?: string | null | undefined;
  /** A span such as `12h`, or an instant. */
  readonly since?: string | null | undefined;
  readonly before?: string | null | undefined;
}

/** Which deleted resources; null for all. Instants are UTC with milliseconds. */
export interface DeletedFilter {
  readonly type: string | null;
  /** Those that were deleted at this instant or later. */
  readonly since: string | null;
  /** Those that were deleted earlier than this instant. */
  readonly before: string | null;
}

/**
 * Reads what is asked for.
 * @throws ScimError `invalidValue` naming what is no instant, or for two that nothing is between
 */
export function readDeletedFilter({ type, since, before }: AskedDeleted): DeletedFilter {
  const filter = {
    type: type ?? null,
    since: instantOf("since", since),
    before: instantOf("before", before),
  };
  if (filter.since !== null && filter.before !== null && filter.since >= filter.before)
    throw new ScimError("invalidValue", "'since' must be before 'before'.");
  return filter;
}

/** Where the list of a filter goes on: behind the key of a page, and not with what is too late. */
export function placeBehind(after: DeletedPlace | null, { before }: DeletedFilter): DeletedPlace | null {
  if (before === null || (after !== null && after.deleted < before)) return after;
  return { deleted: before, type: "", id: "" };
}

function instantOf(name: string, text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : askedInstant(name, text, Date.now());
}
