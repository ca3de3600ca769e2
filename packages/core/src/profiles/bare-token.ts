/**
 * The switch `bare-token`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Accepts a token in the Authorization header without the word Bearer. */
export const BARE_TOKEN: OptionSwitch = {
  kind: "option",
  name: "bare-token",
  does: "Accepts a token in the Authorization header without the word Bearer.",
  otherwise: "Answers 401.",
  sentBy: "Okta in its HTTP header mode.",
  rfc: "RFC 6750 §2.1 asks for the scheme Bearer.",
};
