/**
 * The switch `plain-answers`.
 * @module
 */
import type { AnswerSwitch } from "./switch.ts";

/** Leaves out of errors and of discovery what RFC 7643 and RFC 7644 do not name. */
export const PLAIN_ANSWERS: AnswerSwitch = {
  kind: "answer",
  name: "plain-answers",
  does: "Leaves out of errors, ServiceProviderConfig and resource types what RFC 7643 and RFC 7644 do not name; the ETag header of a 412 still tells the current version, and cursors work without being announced.",
  otherwise:
    "Answers 412 with expectedVersion and currentVersion, and ServiceProviderConfig with pagination, securityEvents and interopProfileConformant, and resource types with operations where these are narrowed.",
  sentBy:
    "Clients that refuse members they do not know: UnboundID SCIM 2 SDK (errors; before release 5 ServiceProviderConfig), scim2-client of Python, Keycloak's scim2 storage.",
  rfc: "RFC 7644 §3.12 and RFC 7643 §5; RFC 9865 §4 adds pagination, RFC 9967 §2.5 securityEvents.",
};
