/**
 * Attributes of a schema that bear the name of a common attribute (RFC 7643 §3.1), which every resource has anyway.
 * @module
 */
import { COMMON_ATTRIBUTES } from "../definitions/common-attributes.ts";
import type { SchemaDefinition } from "../schema.ts";

const COMMON_NAMES: ReadonlySet<string> = new Set(COMMON_ATTRIBUTES.map(({ name }) => name.toLowerCase()));

/** An attribute, and its place in the schema. */
export interface PlacedName {
  readonly index: number;
  readonly name: string;
}

/** The attributes named like a common one, whatever their letter case. */
export function commonNamesIn(schema: SchemaDefinition): readonly PlacedName[] {
  const found: PlacedName[] = [];
  for (const [index, { name }] of schema.attributes.entries())
    if (COMMON_NAMES.has(name.toLowerCase())) found.push({ index, name });
  return found;
}
