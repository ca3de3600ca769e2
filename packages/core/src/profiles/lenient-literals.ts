/**
 * The switch `lenient-literals`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Reads single-quoted and unquoted words, and True or FALSE, as values in filters. */
export const LENIENT_LITERALS: OptionSwitch = {
  kind: "option",
  name: "lenient-literals",
  does: "Reads single-quoted and unquoted words, and True or FALSE, as values in filters.",
  otherwise: "Answers 400 invalidFilter, or invalidPath in a PATCH path.",
  sentBy: "Sentry's and WSO2's test suites, examples in vendors' documents.",
  rfc: "RFC 7644 §3.4.2.2 asks for JSON literals.",
};
