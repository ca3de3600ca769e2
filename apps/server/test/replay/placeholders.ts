/**
 * Fills in what a row of the table leaves open: random text, the token, ids of resources made before.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { JsonValue } from "@scim/schemas";

/** Texts by the name of their placeholder. */
export type Placeholders = ReadonlyMap<string, string>;

/** Placeholders of one row. */
export function placeholdersOf(token: string, base: string): Map<string, string> {
  const random = randomBytes(6).toString("hex");
  return new Map([
    ["rnd", random],
    ["RND", random.toUpperCase()],
    ["token", token],
    ["base", base],
  ]);
}

/** The text with every placeholder filled in. */
export function fillText(text: string, placeholders: Placeholders): string {
  return text.replaceAll(/\$\{([\w.]+)\}/g, (whole, name: string) => {
    const value = placeholders.get(name);
    if (value === undefined) throw new TypeError(`Nothing stands for ${whole}.`);
    return value;
  });
}

/** The JSON value with every placeholder in its texts filled in. */
export function fillJson<Value extends JsonValue>(value: Value, placeholders: Placeholders): Value {
  // A placeholder stands inside of JSON texts only, and its value needs no escapes: the shape stays.
  return JSON.parse(fillText(JSON.stringify(value), placeholders)) as Value;
}
