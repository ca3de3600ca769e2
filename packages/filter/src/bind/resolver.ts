/**
 * What the binder asks about names.
 * @module
 */
import type { AttributePath } from "../ast/nodes.ts";
import type { BoundPath } from "../bound.ts";

/**
 * What a path names.
 * - A {@link BoundPath}: the attribute. A schema extension's URN alone is a `complex` one.
 * - `unknown`: nothing; using it is an error. Also for attributes that the caller may not read
 *   (R7644-F-26).
 * - `noValue`: an attribute that this resource type lacks in a query over several types: it has no
 *   value there (R7644-F-21).
 * - `hidden`: an attribute that is never returned: `pr` is false and comparing is an error (R7644-F-08).
 */
export type Resolution<Handle = unknown> = BoundPath<Handle> | "unknown" | "noValue" | "hidden";

/** Finds attributes by name; names and URNs ignore letter case (R7644-3.10-01). */
export interface AttributeResolver<Handle = unknown> {
  /**
   * Resolves a path from the resource, or, where `within` is given, from one value of that complex
   * attribute: `keys` are then relative to the value.
   */
  resolve(path: AttributePath, within: BoundPath<Handle> | null): Resolution<Handle>;
  /**
   * What is compared where a filter compares a complex attribute of one value by itself, as in `manager eq "x"`;
   * the attribute where it stands for none of its sub-attributes, which is refused. Default: it stands for none.
   */
  comparand?(target: BoundPath<Handle>): BoundPath<Handle>;
}
