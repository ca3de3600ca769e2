/**
 * The switch `single-element-array`.
 * @module
 */
import { isJsonArray } from "@scim/schemas";
import type { RewriteSwitch } from "./switch.ts";

/** Takes the one element of an array where one value is due. */
export const SINGLE_ELEMENT_ARRAY: RewriteSwitch = {
  kind: "rewrite",
  name: "single-element-array",
  does: "Takes the one element of an array where one value is due: in a singular attribute, an extension, a PATCH without a path, or one whose path selects whole values.",
  otherwise: "Answers 400 invalidValue.",
  sentBy: "SCIM-SDK and Keycloak clients, Microsoft Entra ID.",
  rfc: "RFC 7643 §2.4: a singular attribute is no array.",
  rewrite: (node, value) =>
    !node.attribute.multiValued && isJsonArray(value) && value.length === 1 ? value[0] : undefined,
};
