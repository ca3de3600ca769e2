/**
 * Bodies as they are sent (RFC 8259 §6).
 * @module
 */
import { UsageError } from "../errors/usage-error.ts";

/**
 * The JSON text of a body.
 * @throws {@link UsageError} `invalidInput` for a number that JSON does not have
 */
export function bodyText(body: object): string {
  const text = textOf(body);
  if (text.includes("null")) requireNumbers(body);
  return text;
}

function textOf(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    requireNumbers(body);
    throw error;
  }
}

/** Levels of a body: what nests deeper is held by itself, or refused by any service. */
const MOST_LEVELS = 500;

/**
 * Refuses numbers that are not finite: JSON would write null, and what a change sets to null is cleared. It has no bigint
 * either, and nothing that holds itself.
 * @param path what stands before the value, for messages
 * @throws {@link UsageError} `invalidInput`
 */
export function requireNumbers(value: unknown, path: readonly string[] = []): void {
  if (typeof value === "bigint")
    throw new UsageError("invalidInput", `The bigint at '${path.join(".")}' is none of JSON: give a number.`);
  if (typeof value === "number" && !Number.isFinite(value))
    throw new UsageError(
      "invalidInput",
      `The number at '${path.join(".")}' is not finite: JSON has none such.`,
    );
  if (typeof value !== "object" || value === null) return;
  if (path.length > MOST_LEVELS)
    throw new UsageError(
      "invalidInput",
      `The value at '${path.slice(0, 3).join(".")}' holds itself, or nests too deeply.`,
    );
  for (const [name, each] of Object.entries(value)) requireNumbers(each, [...path, name]);
}
