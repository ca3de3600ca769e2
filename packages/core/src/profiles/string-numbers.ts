/**
 * The switch `string-numbers`.
 * @module
 */
import { isExactNumber } from "@scim/schemas";
import type { RewriteSwitch } from "./switch.ts";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads the text of a JSON number as that number. */
export const STRING_NUMBERS: RewriteSwitch = {
  kind: "rewrite",
  name: "string-numbers",
  does: 'Reads a string that holds a JSON number, such as "42", as that number.',
  otherwise: "Answers 400 invalidValue.",
  sentBy: "SCIM-SDK clients and ConnId (Apache Syncope) in a PATCH, Microsoft Entra ID.",
  rfc: "RFC 7643 §2.3.3 and §2.3.4 ask for JSON numbers.",
  rewrite: ({ attribute: { type } }, value) => {
    if ((type !== "integer" && type !== "decimal") || typeof value !== "string") return undefined;
    const number = NUMBER.test(value) && isExactNumber(value) ? Number(value) : Number.NaN;
    return (type === "integer" ? Number.isSafeInteger(number) : Number.isFinite(number)) ? number : undefined;
  },
};
