/**
 * The switch `unknown-invalid-syntax`.
 * @module
 */
import type { AnswerSwitch } from "./switch.ts";

/** Tells of unknown attributes with one code, wherever they stand. */
export const UNKNOWN_INVALID_SYNTAX: AnswerSwitch = {
  kind: "answer",
  name: "unknown-invalid-syntax",
  does: "Where unknown attributes are refused, answers 400 invalidSyntax also to those in a PATCH: in a path and in a value.",
  otherwise: "Answers invalidPath for a path, and invalidValue for a value of a PATCH.",
  sentBy: "No identity provider: it is for those who test a client against the interoperability profile.",
  rfc: "RFC 7644 §3.5.2 names invalidPath for paths; draft-zollner-scim-interop-profile-01 asks for invalidSyntax.",
};
