/**
 * The switch `replace-whole-complex`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** A replace of a singular complex attribute leaves none of its former sub-attributes. */
export const REPLACE_WHOLE_COMPLEX: OptionSwitch = {
  kind: "option",
  name: "replace-whole-complex",
  does: "A replace of a singular complex attribute, such as name, leaves the given sub-attributes alone; immutable ones stay.",
  otherwise: "Sub-attributes that are not given stay as they were.",
  sentBy: "No identity provider: it is for those who test a client against the interoperability profile.",
  rfc: "RFC 7644 §3.5.2.3 leaves those that are not given; draft-zollner-scim-interop-profile-01 takes them away.",
};
