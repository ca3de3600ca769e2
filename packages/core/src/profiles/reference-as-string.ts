/**
 * The switch `reference-as-string`.
 * @module
 */
import type { RewriteSwitch } from "./switch.ts";

/** Reads a plain string as the `value` of a complex attribute that has one; "" clears it. */
export const REFERENCE_AS_STRING: RewriteSwitch = {
  kind: "rewrite",
  name: "reference-as-string",
  does: "Reads a plain string as the value sub-attribute of a complex attribute; an empty string clears it.",
  otherwise: "Answers 400 invalidValue.",
  sentBy: "Microsoft Entra ID (manager), Polis.",
  rfc: "RFC 7643 §2.3.8: a complex attribute is an object.",
  rewrite: (node, value) => {
    if (node.attribute.type !== "complex" || typeof value !== "string" || !node.subAttributes.has("value")) {
      return undefined;
    }
    return value === "" ? null : { value };
  },
};
