/**
 * The switch `unqualified-extension-names`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Finds an attribute of an extension by its bare name where only one extension has it. */
export const UNQUALIFIED_EXTENSION_NAMES: OptionSwitch = {
  kind: "option",
  name: "unqualified-extension-names",
  does: "Finds an attribute of an extension by its bare name where only one extension has it.",
  otherwise: "Answers 400 invalidFilter or invalidPath.",
  sentBy: "Microsoft Entra ID (manager eq), AWS.",
  rfc: "RFC 7644 §3.10 asks for the URN before extension attributes.",
};
