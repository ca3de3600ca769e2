/**
 * The switch `malformed-references`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Accepts text that is no URI for an attribute of type reference. */
export const MALFORMED_REFERENCES: OptionSwitch = {
  kind: "option",
  name: "malformed-references",
  does: "Accepts text without control characters for a reference that may name something outside of the service.",
  otherwise: "Answers 400 invalidValue for what is no URI, absolute or relative.",
  sentBy:
    "Directories that let people type addresses of profiles and photos; validators that send random text.",
  rfc: "RFC 7643 §2.3.7 asks for a URI (RFC 3986), absolute or relative.",
};
