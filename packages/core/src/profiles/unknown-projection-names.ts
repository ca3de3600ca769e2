/**
 * The switch `unknown-projection-names`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Drops names in attributes and excludedAttributes that no schema has. */
export const UNKNOWN_PROJECTION_NAMES: OptionSwitch = {
  kind: "option",
  name: "unknown-projection-names",
  does: "Drops names in attributes and excludedAttributes that no schema has.",
  otherwise: "Answers 400 invalidValue.",
  sentBy: "Clients that ask every service for the same list.",
  rfc: "RFC 7644 §3.9 is silent.",
};
