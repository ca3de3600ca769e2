/**
 * The switch `non-canonical-values`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Accepts values that are not among the canonical values of an attribute. */
export const NON_CANONICAL_VALUES: OptionSwitch = {
  kind: "option",
  name: "non-canonical-values",
  does: "Accepts values that are not among the canonical values of an attribute.",
  otherwise: "Answers 400 invalidValue with the canonical values.",
  sentBy: "Microsoft's SCIM validator, role types of Entra ID.",
  rfc: "RFC 7643 §7 leaves it to the service provider.",
};
