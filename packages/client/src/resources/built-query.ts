/**
 * What is looked for, with its filter built.
 * @module
 */
import { UsageError } from "../errors/usage-error.ts";
import { filterText } from "../filter/filter-text.ts";
import type { QueryOptions } from "./options.ts";

/** A query whose filter is text. */
type BuiltQuery<Options> = Omit<Options, "filter"> & { readonly filter?: string };

/**
 * A query as it is sent.
 * @param fields what a function builds the filter of
 * @throws {@link UsageError} `invalidInput` for what is no query, such as a filter by itself, and for what is no filter: else
 * all resources would be found
 */
export function builtQuery<Options extends QueryOptions<string, object>>(
  options: Options | undefined,
  fields: () => object,
): BuiltQuery<Options> {
  if (!isQuery(options ?? {}))
    throw new UsageError(
      "invalidInput",
      "What is looked for is an object, such as { filter: 'active eq true' }.",
    );
  const { filter, ...others } = options ?? ({} as Options);
  if (filter === undefined) return others;
  return { ...others, filter: filterText(typeof filter === "function" ? filter(fields()) : filter) };
}

/** Whether it is neither a filter, which `node` and `kind` tell, nor anything else without names. */
function isQuery(options: unknown): boolean {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return false;
  return !("node" in options) && !("kind" in options);
}
