/**
 * The switch `missing-patch-schemas`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Accepts a PATCH or .search body without schemas. */
export const MISSING_PATCH_SCHEMAS: OptionSwitch = {
  kind: "option",
  name: "missing-patch-schemas",
  does: "Accepts a PATCH or .search body without schemas.",
  otherwise: "Answers 400 invalidSyntax.",
  sentBy: "Polis and home-made clients.",
  rfc: "RFC 7644 §3.5.2 asks for the PatchOp URN, §3.4.3 for the SearchRequest URN.",
};
