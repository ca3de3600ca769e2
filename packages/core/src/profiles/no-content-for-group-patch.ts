/**
 * The switch `no-content-for-group-patch`.
 * @module
 */
import type { AnswerSwitch } from "./switch.ts";

/** Answers a PATCH of a resource with reference collections with 204 and no body, unless the request names attributes. */
export const NO_CONTENT_FOR_GROUP_PATCH: AnswerSwitch = {
  kind: "answer",
  name: "no-content-for-group-patch",
  does: "Answers a PATCH of a resource with reference collections with 204 and no body, unless the request names attributes.",
  otherwise: "Answers 200 with the resource.",
  sentBy: "Microsoft Entra ID recommends it for groups.",
  rfc: "RFC 7644 §3.5.2 allows 200 and 204.",
};
