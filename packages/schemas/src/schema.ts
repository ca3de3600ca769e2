/**
 * Schema documents (RFC 7643 §7) and `defineSchema`, which keeps their literal types.
 * @module
 */
import type { AttributeDefinition } from "./attribute.ts";

/** A Schema resource: a URN and the attributes that it defines (RFC 7643 §7). */
export interface SchemaDefinition {
  /** The URN of the schema. */
  readonly id: string;
  readonly name?: string;
  readonly description?: string;
  readonly attributes: readonly AttributeDefinition[];
}

/**
 * Returns a schema definition as it is, with its literal types kept, so that
 * the type of its resources can be inferred from it (see `ResourceOf`).
 *
 * @example
 * const device = defineSchema({
 *   id: "urn:example:params:scim:schemas:acme:1.0:Device",
 *   attributes: [{ name: "serial", type: "string", required: true }],
 * });
 */
export function defineSchema<const S extends SchemaDefinition>(definition: S): S {
  return definition;
}
