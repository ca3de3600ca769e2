/**
 * The switch `string-booleans`.
 * @module
 */
import type { RewriteSwitch } from "./switch.ts";

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Reads "True" and "false" as booleans, in values and in value filters of PATCH paths. */
export const STRING_BOOLEANS: RewriteSwitch = {
  kind: "rewrite",
  name: "string-booleans",
  does: "Reads the strings true and false, in any letter case, as booleans.",
  otherwise: "Answers 400 invalidValue.",
  sentBy: "Microsoft Entra ID without the aadOptscim062020 flag, Okta, Keycloak.",
  rfc: "RFC 7643 §2.3.2 asks for JSON booleans.",
  rewrite: (node, value) =>
    node.attribute.type === "boolean" && typeof value === "string"
      ? WORDS.get(value.toLowerCase())
      : undefined,
};
