/**
 * The switch `replace-creates-on-no-match`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** A replace by a value path that matches nothing creates the value from the filter's equalities, as add does. */
export const REPLACE_CREATES_ON_NO_MATCH: OptionSwitch = {
  kind: "option",
  name: "replace-creates-on-no-match",
  does: "A replace by a value path that matches nothing creates the value from the filter's equalities, as add does.",
  otherwise: "Answers 400 noTarget.",
  sentBy: "Microsoft Entra ID, which retries for ever otherwise.",
  rfc: "RFC 7644 §3.5.2.3 asks for noTarget.",
};
