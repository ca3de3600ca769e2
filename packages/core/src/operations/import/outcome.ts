/**
 * What became of an item that cannot be imported.
 * @module
 */
import { isScimError } from "@scim/schemas";
import type { ImportItem, ImportOutcome } from "./import-request.ts";

/** The outcome of an item that is refused. What is no fault of the item is thrown. */
export function rejected({ record }: Pick<ImportItem, "record">, error: unknown): ImportOutcome {
  if (!isScimError(error) || error.code === "unavailable" || error.code === "internal") throw error;
  return { record, kind: "rejected", id: null, error };
}
