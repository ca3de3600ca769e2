/**
 * The switch `value-path-comparison`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Reads emails[type eq …].value eq … as emails[type eq … and value eq …]. */
export const VALUE_PATH_COMPARISON: OptionSwitch = {
  kind: "option",
  name: "value-path-comparison",
  does: "Reads emails[type eq …].value eq … as emails[type eq … and value eq …].",
  otherwise: "Answers 400 invalidFilter.",
  sentBy: "Microsoft Entra ID.",
  rfc: "Not in the grammar of RFC 7644 §3.4.2.2.",
};
