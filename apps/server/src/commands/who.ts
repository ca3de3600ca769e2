/**
 * Who made a change, in the few words of a table.
 * @module
 */
import type { FeedEvent } from "@scim/core";
import { ADMIN_TENANT } from "@scim/tenancy";

/**
 * The administrator or the command; else the person, or the connection with its credential where that is known. What the
 * service notices by itself stands in the trail of administration, and comes from nobody.
 */
export function whoOf({
  connection,
  subject,
  origin,
}: Pick<FeedEvent, "connection" | "subject" | "origin">): string {
  if (origin?.admin !== undefined) return `admin ${origin.admin}`;
  if (origin?.command !== undefined) return origin.command;
  if (subject !== null) return `subject ${subject}`;
  if (origin?.credential !== undefined) return `${connection} (${origin.credential})`;
  return connection === ADMIN_TENANT ? "the service" : connection;
}
