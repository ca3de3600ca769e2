/**
 * Filters as they are sent.
 * @module
 */
import { printFilter, type FilterNode } from "@scim/filter/ast";
import { UsageError } from "../errors/usage-error.ts";
import type { FilterInput } from "../resources/options.ts";

/**
 * The text of a filter. Programs without types may give anything, such as an attribute without an operator, or nothing
 * of a function that forgets to give back what it builds: left out, everything would be found.
 * @throws {@link UsageError} `invalidInput` for what is no filter
 */
export function filterText(filter: FilterInput): string {
  if (typeof filter === "string") return filter;
  const text = printed(filter);
  if (typeof text === "string") return text;
  throw new UsageError(
    "invalidInput",
    "A filter is a text, an expression such as field('userName').eq('ada'), or a function that gives one back.",
  );
}

function printed(filter: FilterNode | { readonly node: FilterNode }): unknown {
  try {
    return printFilter("node" in filter ? filter.node : filter);
  } catch {
    // No tree.
    return undefined;
  }
}
