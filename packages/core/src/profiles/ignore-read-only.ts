/**
 * The switch `ignore-read-only`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Ignores id and meta in POST, readOnly values that differ in PUT, and other details of references that stay. */
export const IGNORE_READ_ONLY: OptionSwitch = {
  kind: "option",
  name: "ignore-read-only",
  does: "Ignores id and meta in POST, readOnly values that differ in PUT, and another type or display of a reference that stays in a list.",
  otherwise: "Answers 400 mutability.",
  sentBy:
    "Microsoft Entra ID (meta in POST), Okta (the whole resource in PUT, members under their present names).",
  rfc: "RFC 7644 §3.3 and §3.5.1 ignore readOnly values; RFC 7643 §4.2 makes sub-attributes of members immutable.",
};
