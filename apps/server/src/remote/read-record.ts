/**
 * Reads a record of a file that is brought into a running service: its type, its fields as the schemas have them, and what
 * it is known by.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import { isJsonArray, isJsonObject, type JsonObject } from "@scim/schemas";
import type { SourceItem } from "@scim/sync";
import type { ClaimedKeys } from "./claimed-keys.ts";
import { memberOf } from "../import/record-member.ts";
import { fittedRecord, TwoSpellings } from "./fitted-record.ts";
import { matchesOf, type Match } from "./matched-resource.ts";

/** A record as it was read. */
export interface ReadRecord {
  /** Where it stands: `line 12`. */
  readonly place: string;
  readonly type: ClientResourceType;
  readonly fields: JsonObject;
  readonly matches: readonly Match[];
  /** The number of a record before that has the same name, whatever both mean; null for none. */
  readonly namesake: number | null;
  /** Why it is not taken where no `externalId` finds what it means; null where it is. */
  readonly refusal: string | null;
}

/** A record that was not taken. */
export interface RejectedRecord {
  /** Where it stands: `line 12`. */
  readonly place: string;
  readonly reason: string;
}

/** What records are read by. */
export interface Reading {
  readonly types: readonly ClientResourceType[];
  /** Name of the type of all records; null where each names its own. */
  readonly type: string | null;
  readonly keys: ClaimedKeys;
}

/** Reads a record; the number is its place among all, from 1. */
export function readRecord(
  item: SourceItem,
  number: number,
  { types, type: wanted, keys }: Reading,
): ReadRecord | RejectedRecord {
  const { place } = item;
  if (item.kind === "unreadable") return { place, reason: item.fault };
  const type = typeOf(item.fields, types, wanted);
  if (type === undefined) return { place, reason: "The service has no resource type that the record names." };
  try {
    const fields = fittedRecord(item.fields, type);
    const matches = matchesOf(fields, type);
    const claim = keys.claim({ type: type.name, matches }, number);
    return "reason" in claim ? { place, ...claim } : { place, type, fields, matches, ...claim };
  } catch (cause) {
    if (cause instanceof TwoSpellings) return { place, reason: cause.message };
    throw cause;
  }
}

function typeOf(
  fields: JsonObject,
  types: readonly ClientResourceType[],
  wanted: string | null,
): ClientResourceType | undefined {
  const [schemas, meta] = [memberOf(fields, "schemas"), memberOf(fields, "meta")];
  const named = wanted ?? (isJsonObject(meta) ? memberOf(meta, "resourceType") : null);
  if (typeof named === "string") return types.find(({ name }) => name.toLowerCase() === named.toLowerCase());
  if (named !== null) return undefined;
  const byUrn = new Map(types.toReversed().map((type) => [type.schema.id.toLowerCase(), type]));
  for (const urn of isJsonArray(schemas) ? schemas : []) {
    const found = typeof urn === "string" ? byUrn.get(urn.toLowerCase()) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
