/**
 * The switch `ignore-read-only`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Ignores id and meta in POST, and readOnly values that differ in PUT. */
export const IGNORE_READ_ONLY: OptionSwitch = {
  kind: "option",
  name: "ignore-read-only",
  does: "Ignores id and meta in POST, and readOnly values that differ in PUT.",
  otherwise: "Answers 400 mutability.",
  sentBy: "Microsoft Entra ID (meta in POST), Okta (the whole resource in PUT).",
  rfc: "RFC 7644 §3.3 and §3.5.1 ignore readOnly values.",
};
