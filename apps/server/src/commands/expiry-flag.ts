/**
 * Instants as flags give them.
 * @module
 */
import { instantOf, spanOf } from "@scim/events";
import { CommandFailure, EXIT } from "../failure.ts";

/**
 * The instant of `--expires`, UTC with milliseconds: `90d`, `12h`, `30m`, or an instant such as `2027-01-01T00:00:00Z`.
 * @throws CommandFailure where it does not lie ahead
 */
export function expiryFlag(text: string): string {
  const span = spanOf(text);
  const instant = span === null ? instantOf(text) : new Date(Date.now() + span).toISOString();
  if (instant !== null && Date.parse(instant) > Date.now()) return instant;
  throw new CommandFailure(
    EXIT.usage,
    "--expires must lie ahead: 90d, 12h, 30m, or an instant such as 2027-01-01T00:00:00Z.",
  );
}
