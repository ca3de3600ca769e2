/**
 * The switch `search-as-strings`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Reads text in a .search body as the query of an address has it. */
export const SEARCH_AS_STRINGS: OptionSwitch = {
  kind: "option",
  name: "search-as-strings",
  does: "Reads text in a .search body as the query of an address has it: integers in digits, names between commas.",
  otherwise: "Answers 400 invalidValue, or invalidCount beside a cursor.",
  sentBy: "SCIM-SDK clients.",
  rfc: "RFC 7644 §3.4.3 has integers for startIndex and count, and arrays of names.",
};
