/**
 * The switch `require-version`.
 * @module
 */
import type { AnswerSwitch } from "./switch.ts";

/** Refuses a change that names no version. */
export const REQUIRE_VERSION: AnswerSwitch = {
  kind: "answer",
  name: "require-version",
  does: "Answers 428 with the current entity tag to a PUT, PATCH or DELETE without If-Match, and to an operation of a bulk job without version, so that no client overwrites what it has not seen. `If-Match: *` passes: it says that any version will do.",
  otherwise: "Makes the change, whatever the version.",
  sentBy: "No identity provider, since none sends versions: it is for clients of one's own.",
  rfc: "RFC 6585 §3. RFC 7644 §3.14 leaves If-Match to the client.",
};
