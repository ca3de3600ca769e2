/**
 * The switch `patch-path-required`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Refuses an operation of a PATCH that names no path. */
export const PATCH_PATH_REQUIRED: OptionSwitch = {
  kind: "option",
  name: "patch-path-required",
  does: "Answers 400 invalidSyntax to an operation of a PATCH without path.",
  otherwise: "Takes the members of its value as attributes.",
  sentBy: "No identity provider: it is for those who test a client against the interoperability profile.",
  rfc: "RFC 7644 §3.5.2 lets add and replace go without a path; draft-zollner-scim-interop-profile-01 demands one.",
};
