/**
 * Members that several messages have.
 * @module
 */
import { refer, type Schema } from "./document-types.ts";

/** `schemas` of a message: its one URN. */
export function messageUrn(urn: string): Schema {
  return { type: "array", items: { const: urn }, minItems: 1 };
}

/** An HTTP status as messages hold it. */
export const STATUS: Schema = {
  type: "string",
  pattern: "^[1-5][0-9]{2}$",
  description: "The HTTP status.",
};

/** An entity tag. */
export const ENTITY_TAG: Schema = { type: "string", description: 'Entity tag, such as `W/"x"`.' };

/** An Error inside of another message. */
export const ANY_ERROR: Schema = {
  description: "The Error message, where the operation fails.",
  anyOf: [refer("schemas", "Scim.Error"), refer("schemas", "Scim.VersionError")],
};

/** An object of whatever members. It says so: tools that make types of a document take it for an empty one else. */
export const ANY_OBJECT: Schema = { type: "object", additionalProperties: true };
