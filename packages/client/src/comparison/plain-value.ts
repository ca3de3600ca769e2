/**
 * When two plain values are the same: services write numbers, booleans and times in a form of their own.
 * @module
 */
import type { Attribute, JsonValue } from "@scim/schemas";

/** What a plain value says, in one form for all that say the same; of texts, whatever the letter case. */
export function plainKey(attribute: Attribute | undefined, value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  switch (attribute?.type) {
    case "integer":
    case "decimal":
      return String(Number(text));
    case "dateTime": {
      const instant = Date.parse(text);
      return Number.isNaN(instant) ? text : String(instant);
    }
    default:
      return text.toLowerCase();
  }
}

/** Whether values of a type are texts, of which letter case may tell something. */
export function isText(attribute: Attribute | undefined): boolean {
  return !["boolean", "integer", "decimal", "dateTime"].includes(attribute?.type ?? "string");
}
