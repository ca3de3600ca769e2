/**
 * Bodies as they are sent (RFC 8259 §6).
 * @module
 */
import { UsageError } from "../errors/usage-error.ts";

/**
 * The JSON text of a body.
 * @throws {@link UsageError} `invalidInput` for a number that is not finite
 */
export function bodyText(body: object): string {
  const text = JSON.stringify(body);
  if (text.includes("null")) requireFinite(body);
  return text;
}

/**
 * Refuses numbers that are not finite: JSON would write null, and what a change sets to null is cleared.
 * @param path what stands before the value, for messages
 * @throws {@link UsageError} `invalidInput`
 */
export function requireFinite(value: unknown, path: readonly string[] = []): void {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new UsageError(
      "invalidInput",
      `The number at '${path.join(".")}' is not finite: JSON has none such.`,
    );
  if (typeof value !== "object" || value === null) return;
  for (const [name, each] of Object.entries(value)) requireFinite(each, [...path, name]);
}
