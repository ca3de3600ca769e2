/**
 * Who made a change, in the few words of a table.
 * @module
 */
import type { FeedEvent } from "@scim/core";

/** The administrator or the command; else the person, or the connection with its credential where that is known. */
export function whoOf({
  connection,
  subject,
  origin,
}: Pick<FeedEvent, "connection" | "subject" | "origin">): string {
  if (origin?.admin !== undefined) return `admin ${origin.admin}`;
  if (origin?.command !== undefined) return origin.command;
  if (subject !== null) return `subject ${subject}`;
  return origin?.credential === undefined ? connection : `${connection} (${origin.credential})`;
}
