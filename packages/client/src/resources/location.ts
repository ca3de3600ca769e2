/**
 * Addresses of resources, as a service gives them.
 * @module
 */
import type { JsonValue } from "@scim/schemas";

/** The id at the end of an address, absolute or relative; null where there is none that an address can name. */
export function idAt(location: JsonValue | undefined): string | null {
  const [path] = typeof location === "string" ? location.split(/[?#]/, 1) : [];
  const last = path?.split("/").findLast((part) => part !== "");
  if (last === undefined) return null;
  try {
    const id = decodeURIComponent(last);
    return id === "." || id === ".." ? null : id;
  } catch {
    return last;
  }
}
