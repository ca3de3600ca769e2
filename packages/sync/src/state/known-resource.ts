/**
 * What a sync remembers of one resource, and how that stands in a line of the state.
 * @module
 */
import { jsonForm, type TextForm } from "../spill/spilled-map.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** A value that the target keeps in the place of what it is sent: in lower case, trimmed, or not at all. */
export interface KeptValue {
  /** Path of the mapping. */
  readonly path: string;
  /** What the source asks for, as JSON text. */
  readonly asked: string;
  /** What the target has instead, as JSON text; `null` for nothing. */
  readonly kept: string;
}

/** A resource that the sync knows. */
export interface KnownResource {
  readonly id: string;
  /** The values that were applied last, as text; null where none were. */
  readonly applied: string | null;
  /** Digest of the keys that its references were made of. */
  readonly referenceKeys: string;
  /** Digest of the ids that its references hold. */
  readonly referenceIds: string;
  /** These ids, as JSON text; null where they are not known. */
  readonly references: string | null;
  /** Whether it was deactivated since its record is gone. */
  readonly left: boolean;
  /**
   * Whether it may be something else than what was applied last, for a change of it failed or it was not compared: it is read,
   * whatever else is known.
   */
  readonly unsettled: boolean;
  /** Its raw version as it was created, where nothing but that tells what the target made of it; null otherwise. */
  readonly createdVersion: string | null;
  /** What the target keeps of what it was sent, where that is something else. */
  readonly kept: readonly KeptValue[];
}

/** The line of a resource; what says nothing is left out. */
export function lineOf(
  { unsettled, references, createdVersion, kept, ...known }: KnownResource,
  { type, key }: { readonly type: string; readonly key: string },
): JsonObject {
  return {
    type,
    key,
    ...known,
    ...(unsettled ? { unsettled } : {}),
    ...(references === null ? {} : { references }),
    ...(createdVersion === null ? {} : { createdVersion }),
    ...(kept.length === 0 ? {} : { kept: kept.map((each) => ({ ...each })) }),
  };
}

/** The resource of a line; null where it names none. */
export function knownOf(line: JsonObject): KnownResource | null {
  const { id, kept } = line;
  if (typeof id !== "string") return null;
  return {
    id,
    applied: textOr(line["applied"], null),
    referenceKeys: textOr(line["referenceKeys"], ""),
    referenceIds: textOr(line["referenceIds"], ""),
    references: textOr(line["references"], null),
    left: line["left"] === true,
    unsettled: line["unsettled"] === true,
    createdVersion: textOr(line["createdVersion"], null),
    kept: isJsonArray(kept) ? kept.flatMap(keptOf) : [],
  };
}

function keptOf(value: JsonValue): readonly KeptValue[] {
  if (!isJsonObject(value)) return [];
  const { path, asked, kept } = value;
  const isOne = typeof path === "string" && typeof asked === "string" && typeof kept === "string";
  return isOne ? [{ path, asked, kept }] : [];
}

/** How a resource stands as text. */
export const KNOWN_FORM: TextForm<KnownResource> = jsonForm();

/** A text, or another value where it is none. */
export function textOr<Other>(value: JsonValue | undefined, other: Other): string | Other {
  return typeof value === "string" ? value : other;
}
