/**
 * The switch `unknown-attributes`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Drops attributes and schema URNs that no schema of the resource type names. */
export const UNKNOWN_ATTRIBUTES: OptionSwitch = {
  kind: "option",
  name: "unknown-attributes",
  does: "Drops attributes and schema URNs that no schema of the resource type names.",
  otherwise: "Answers 400 invalidSyntax, inside a PATCH value invalidValue.",
  sentBy: "Microsoft Entra ID (URN of Azure groups, mistyped URNs), OneLogin templates, Okta.",
  rfc: "RFC 7643 §3 allows only known URNs; RFC 7644 §3.3 is silent on unknown attributes.",
};
