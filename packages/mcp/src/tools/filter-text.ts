/**
 * Filters as callers write them, read before they are sent.
 * @module
 */
import { FilterSyntaxError, parseFilter, type FilterNode } from "@scim/filter";

/**
 * Longest filter that is read, in characters: the most that a server of `@scim` may be set to take. How long and how deep a filter
 * may be is each service's to say.
 */
const LONGEST = 32_768;

/** The filter that a text holds; an error with the place at which it breaks the grammar. */
export function readFilter(text: string): FilterNode | FilterSyntaxError {
  try {
    return parseFilter(text, { maxLength: LONGEST, maxDepth: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (error instanceof FilterSyntaxError) return error;
    throw error;
  }
}
