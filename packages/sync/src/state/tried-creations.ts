/**
 * Creations that were begun and whose end is not known: the resource may be there, and nobody was told its id.
 * @module
 */
import type { JsonObject } from "@scim/schemas";

/** A creation that was begun. */
export interface TriedCreation {
  readonly type: string;
  readonly key: string;
  /** What its resource is found by: see {@link matchText}. */
  readonly match: string;
}

/** What a resource is found by, as text: the place of `match`, and what it is compared by there. */
export function matchText(path: string, comparable: string): string {
  return JSON.stringify([path, comparable]);
}

/** Those of a state: few, since each goes when its end is known. */
export class TriedCreations {
  readonly #byKey = new Map<string, TriedCreation>();
  readonly #byMatch = new Map<string, TriedCreation>();

  add(tried: TriedCreation): void {
    this.delete(tried.type, tried.key);
    this.#byKey.set(place(tried.type, tried.key), tried);
    this.#byMatch.set(place(tried.type, tried.match), tried);
  }

  delete(type: string, key: string): boolean {
    const tried = this.#byKey.get(place(type, key));
    if (tried === undefined) return false;
    const byMatch = place(type, tried.match);
    if (this.#byMatch.get(byMatch)?.key === key) this.#byMatch.delete(byMatch);
    return this.#byKey.delete(place(type, key));
  }

  has(type: string, key: string): boolean {
    return this.#byKey.has(place(type, key));
  }

  /** The key of the record that a resource was to be created for. */
  keyOf(type: string, match: string): string | undefined {
    return this.#byMatch.get(place(type, match))?.key;
  }

  keys(type: string): readonly string[] {
    return [...this.#byKey.values()].filter((tried) => tried.type === type).map(({ key }) => key);
  }

  /** A line of the state for each. */
  lines(): readonly JsonObject[] {
    return [...this.#byKey.values()].map(triedLine);
  }
}

/** The line of a creation that is begun. */
export function triedLine({ type, key, match }: TriedCreation): JsonObject {
  return { type, key, tried: match };
}

function place(type: string, name: string): string {
  return JSON.stringify([type, name]);
}
