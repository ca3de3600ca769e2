/**
 * The names in `attributes` and `excludedAttributes` (RFC 7644 §3.10).
 * @module
 */
import { type AttributePath, parseAttributePath, parsedOrNull } from "@scim/filter";
import { ScimError } from "@scim/schemas";

/** Most names of a request, each counted once: all others wait while they are looked for in the resource types. */
const MOST_NAMES = 1000;

/** A name as it was sent, read once for all resource types. */
export interface ProjectionName {
  readonly text: string;
  /** The attribute that it names, a value path standing for it; null where it is no attribute path. */
  readonly path: AttributePath | null;
}

/**
 * Reads names, each once.
 * @throws ScimError `invalidValue` where there are too many
 */
export function readNames(texts: readonly string[]): readonly ProjectionName[] {
  const names = new Set(texts);
  if (names.size > MOST_NAMES) {
    throw new ScimError(
      "invalidValue",
      `'attributes' and 'excludedAttributes' may hold ${String(MOST_NAMES)} names at most: name the complex attribute or the extension that holds them.`,
    );
  }
  return [...names].map((text) => ({ text, path: pathOf(text) }));
}

function pathOf(text: string): AttributePath | null {
  const bracket = text.indexOf("[");
  return parsedOrNull(() => parseAttributePath(bracket < 0 ? text : text.slice(0, bracket)));
}
