/**
 * The switch `excessive-count`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Cuts a count above the maximum on pages by cursor, as on pages by index. */
export const EXCESSIVE_COUNT: OptionSwitch = {
  kind: "option",
  name: "excessive-count",
  does: "Cuts a count above the maximum on pages by cursor, as on pages by index.",
  otherwise: "Answers 400 invalidCount.",
  sentBy: "Clients that ask every service for pages of one size.",
  rfc: "RFC 9865 §2.1 has invalidCount for a count that is not within 0 and the greatest page.",
};
