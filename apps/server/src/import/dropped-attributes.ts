/**
 * Attributes of records that no schema names: the profile drops them, and so nobody would know that they were there.
 * @module
 */
import type { RequestContext } from "@scim/core";

/** Most paths that are kept: a file that was made for something else may have any number of them. */
const MOST = 1000;

/** Which value of a list it is. */
const INDEX = /\[\d+\]/g;

/** Gathers what is dropped. */
export class DroppedAttributes {
  readonly #paths = new Set<string>();

  /** Told of each tolerance that a record made use of. */
  readonly onSwitch: RequestContext["onSwitch"] = (name, path) => {
    if (name === "unknown-attributes" && this.#paths.size < MOST) this.#paths.add(path.replaceAll(INDEX, ""));
  };

  /** The paths, each once, in their order; the first thousand that came. */
  get paths(): readonly string[] {
    return [...this.#paths].toSorted();
  }
}
