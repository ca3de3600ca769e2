/**
 * The switch `nested-remove-value`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Reads {members: [...]} as the value of a remove of members as the list itself. */
export const NESTED_REMOVE_VALUE: OptionSwitch = {
  kind: "option",
  name: "nested-remove-value",
  does: "Reads {members: [...]} as the value of a remove of members as the list itself.",
  otherwise: "Answers 400 invalidValue.",
  sentBy: "Salesforce.",
  rfc: "RFC 7644 §3.5.2.2 gives remove no value.",
};
