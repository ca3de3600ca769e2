/**
 * The switch `lenient-literals`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Reads single-quoted and unquoted words, numbers where text is compared, and True or FALSE, as values in filters. */
export const LENIENT_LITERALS: OptionSwitch = {
  kind: "option",
  name: "lenient-literals",
  does: "Reads single-quoted and unquoted words as text in filters, also 1042 and true where text is compared, and True or FALSE as booleans.",
  otherwise: "Answers 400 invalidFilter, or invalidPath in a PATCH path.",
  sentBy: "authentik, Sentry's and WSO2's test suites, examples in vendors' documents.",
  rfc: "RFC 7644 §3.4.2.2 asks for JSON literals.",
};
