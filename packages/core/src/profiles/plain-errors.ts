/**
 * The switch `plain-errors`.
 * @module
 */
import type { AnswerSwitch } from "./switch.ts";

/** Leaves out of error bodies what RFC 7644 §3.12 does not name. */
export const PLAIN_ERRORS: AnswerSwitch = {
  kind: "answer",
  name: "plain-errors",
  does: "Leaves expectedVersion and currentVersion out of errors; the ETag header of a 412 still tells the current version.",
  otherwise: "Answers 412 with expectedVersion and currentVersion beside the members of the RFC.",
  sentBy: "Clients that refuse members they do not know: UnboundID SCIM 2 SDK, Python's scim2-client.",
  rfc: "RFC 7644 §3.12 names status, scimType and detail.",
};
