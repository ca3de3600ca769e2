/**
 * Keys as they are read back from a column that holds them bounded.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import type { KeyForm, ReadKey } from "./dialect.ts";

/** What reading a column of bounded keys (`KeyForm.bounded`) answers for a key: equal for equal keys alone. */
export function boundedKey(keys: KeyForm, key: ComparisonKey): ReadKey {
  const bounded = keys.bounded(key);
  return keys.read(bounded instanceof Uint8Array ? Buffer.from(bounded).toString("hex") : bounded);
}
