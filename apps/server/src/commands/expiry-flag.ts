/**
 * Instants as flags give them.
 * @module
 */
import { spanOf } from "@scim/events";
import { CommandFailure, EXIT } from "../failure.ts";

/**
 * The instant of `--expires`, UTC with milliseconds: `90d`, `12h`, `30m`, or an instant such as `2027-01-01T00:00:00Z`.
 * @throws CommandFailure where it does not lie ahead
 */
export function expiryFlag(text: string): string {
  const span = spanOf(text);
  const instant = span === null ? Date.parse(text) : Date.now() + span;
  if (instant > Date.now()) return new Date(instant).toISOString();
  throw new CommandFailure(
    EXIT.usage,
    "--expires must lie ahead: 90d, 12h, 30m, or an instant such as 2027-01-01T00:00:00Z.",
  );
}
