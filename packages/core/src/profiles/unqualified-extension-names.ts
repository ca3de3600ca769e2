/**
 * The switch `unqualified-extension-names`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Finds an attribute of an extension by its bare name where only one has it, and any behind its URN and a dot. */
export const UNQUALIFIED_EXTENSION_NAMES: OptionSwitch = {
  kind: "option",
  name: "unqualified-extension-names",
  does: "Finds an attribute of an extension by its bare name where only one extension has it, and any attribute behind the URN of its schema and a dot.",
  otherwise: "Answers 400 invalidFilter or invalidPath.",
  sentBy:
    "Microsoft Entra ID (manager eq), AWS; with a dot, Microsoft's collection of requests and connectors whose mappings write paths so.",
  rfc: "RFC 7644 §3.10 asks for the URN and a colon before extension attributes.",
};
