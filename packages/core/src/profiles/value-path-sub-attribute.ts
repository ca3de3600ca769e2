/**
 * The switch `value-path-sub-attribute`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Refuses to set a selected value as a whole. */
export const VALUE_PATH_SUB_ATTRIBUTE: OptionSwitch = {
  kind: "option",
  name: "value-path-sub-attribute",
  does: 'Answers 400 invalidPath to an add or replace by a value path without a sub-attribute, such as emails[type eq "work"]. A remove by one is made: values cannot be removed otherwise.',
  otherwise: "Adds to, or replaces, the selected values as a whole.",
  sentBy: "No identity provider: it is for those who test a client against the interoperability profile.",
  rfc: "RFC 7644 §3.5.2 allows it; draft-zollner-scim-interop-profile-01 does not.",
};
