/**
 * Which references of a resource came and went since they were put there.
 * @module
 */
import { isJsonArray, type JsonValue } from "@scim/schemas";

/** A resource that is referred to. */
export interface DriftedReference {
  readonly id: string;
  /** Key of its record; null where the sync does not know it. */
  readonly key: string | null;
}

/** References that came, or went. */
export interface DriftedReferences {
  readonly count: number;
  /** At most 100 of them. */
  readonly shown: readonly DriftedReference[];
}

/** What differs in the references of a resource. */
export interface ReferenceDrift {
  readonly added: DriftedReferences;
  readonly removed: DriftedReferences;
}

const MOST_SHOWN = 100;

/**
 * What differs.
 * @param applied ids that were put there, as JSON text
 * @param keyOf the key of the record of an id
 */
export function referenceDrift(
  held: ReadonlySet<string>,
  applied: string,
  keyOf: (id: string) => string | undefined,
): ReferenceDrift {
  // Written by the sync; of another's making nothing is believed.
  const read = JSON.parse(applied) as JsonValue;
  const before = new Set(isJsonArray(read) ? read.filter((id) => typeof id === "string") : []);
  const told = (ids: readonly string[]): DriftedReferences => ({
    count: ids.length,
    shown: ids.slice(0, MOST_SHOWN).map((id) => ({ id, key: keyOf(id) ?? null })),
  });
  return {
    added: told([...held].filter((id) => !before.has(id))),
    removed: told([...before].filter((id) => !held.has(id))),
  };
}
