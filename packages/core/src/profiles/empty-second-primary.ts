/**
 * The switch `empty-second-primary`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Drops a second primary value that is empty. */
export const EMPTY_SECOND_PRIMARY: OptionSwitch = {
  kind: "option",
  name: "empty-second-primary",
  does: "Drops a second primary value that is empty.",
  otherwise: "Answers 400 invalidValue.",
  sentBy: "PingOne.",
  rfc: "RFC 7643 §2.4 allows one primary value.",
};
