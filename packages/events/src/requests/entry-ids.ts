/**
 * Ids of entries: UUIDs of version 7, whose first part is when the request was answered (RFC 9562 §5.7).
 * @module
 */

/** What stands before every id of a millisecond since 1970, and behind those of the millisecond before. */
export function beforeIdsOf(milliseconds: number): string {
  const time = Math.max(0, milliseconds).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** The millisecond since 1970 that an id of an entry begins with: that of its making, or later where a clock was set back before. */
export function instantOfId(id: string): number {
  return Number.parseInt(id.slice(0, 13).replace("-", ""), 16);
}
