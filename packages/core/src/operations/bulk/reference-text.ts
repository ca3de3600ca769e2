/**
 * References to what a bulk job makes, as text: `bulkId:<name>` (RFC 7644 §3.7.2).
 * @module
 */
import { decodedSegment } from "../../attributes/reference.ts";

const MARK = "bulkId:";

/** A reference, and what stands before it in an address: `../Users/` in `../Users/bulkId:qwerty`. */
export interface BulkReference {
  readonly before: string;
  readonly bulkId: string;
}

/** The reference that a text is as a whole, or null. */
export function readReference(text: string): BulkReference | null {
  return text.startsWith(MARK) ? { before: "", bulkId: text.slice(MARK.length) } : null;
}

/** The reference that an address is, or ends in, or null. */
export function readAddressReference(text: string): BulkReference | null {
  const slash = text.lastIndexOf(`/${MARK}`);
  if (slash < 0) return readReference(text);
  const name = text.slice(slash + 1 + MARK.length);
  return { before: text.slice(0, slash + 1), bulkId: decodedSegment(name) };
}

/** Whether a reference stands anywhere in a value: what has none need not be read by its schema. */
export function mayRefer(text: string): boolean {
  return text.includes(MARK);
}
