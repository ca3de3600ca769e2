/**
 * The switch `group-name-unique`.
 * @module
 */
import type { ConstraintSwitch } from "./switch.ts";

/** Refuses a second Group of one displayName among those that one connection created. */
export const GROUP_NAME_UNIQUE: ConstraintSwitch = {
  kind: "constraint",
  name: "group-name-unique",
  does: "Answers 409 uniqueness for a second Group of one displayName among the groups that one connection created, whoever writes it.",
  otherwise: "Accepts groups of equal names.",
  sentBy: "Microsoft's SCIM validator, scimple and oxide expect it.",
  rfc: "RFC 7643 §4.2 has no such rule.",
  type: "Group",
  attribute: "displayName",
};
