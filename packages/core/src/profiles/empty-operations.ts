/**
 * The switch `empty-operations`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Takes a PATCH without operations as one that changes nothing. */
export const EMPTY_OPERATIONS: OptionSwitch = {
  kind: "option",
  name: "empty-operations",
  does: "Takes a PATCH with an empty list of operations, or with schemas alone, as one that changes nothing.",
  otherwise: "Answers 400 invalidSyntax.",
  sentBy: "Microsoft Entra ID, ConnId (Apache Syncope).",
  rfc: "RFC 7644 §3.5.2 asks for one or more operations.",
};
