/**
 * The switch `missing-schemas`.
 * @module
 */
import type { OptionSwitch } from "./switch.ts";

/** Takes a resource without schemas for one of the type of its endpoint. */
export const MISSING_SCHEMAS: OptionSwitch = {
  kind: "option",
  name: "missing-schemas",
  does: "Takes the body of a POST or PUT without schemas for a resource of the type of its endpoint.",
  otherwise: "Answers 400 invalidSyntax.",
  sentBy: "SCIM plugin of scimgateway, WSO2 compliance suite, home-made clients.",
  rfc: "RFC 7643 §3 requires schemas in every representation.",
};
