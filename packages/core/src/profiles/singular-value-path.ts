/**
 * The switch `singular-value-path`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Takes the object of a singular complex attribute for the only value that a value path can select. */
export const SINGULAR_VALUE_PATH: OptionSwitch = {
  kind: "option",
  name: "singular-value-path",
  does: 'Takes the object of a singular complex attribute for the only value that a path such as manager[value eq "…"] can select.',
  otherwise: "Answers 400 invalidPath.",
  sentBy: "Microsoft Entra ID where it takes a manager away.",
  rfc: "RFC 7644 §3.5.2 has value filters for multi-valued attributes.",
};
