/**
 * The switch `object-as-text`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Reads text that holds a JSON object as the value of a PATCH operation without a path. */
export const OBJECT_AS_TEXT: OptionSwitch = {
  kind: "option",
  name: "object-as-text",
  does: "Reads text of up to 100,000 characters that holds a JSON object as the value of a PATCH operation without a path.",
  otherwise: "Answers 400 invalidValue.",
  sentBy:
    "SCIM for Keycloak and other SCIM-SDK clients, where they rename a group or find one that is there.",
  rfc: "RFC 7644 §3.5.2.1 and §3.5.2.3: without a path the value is a set of attributes.",
};
