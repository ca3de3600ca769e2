/**
 * What a service takes and never tells, such as passwords (RFC 7643 §7, `returned`).
 * @module
 */
import type { Attribute } from "@scim/schemas";
import type { ValueRule } from "../expression/evaluate.ts";
import type { TargetPath } from "./target-path.ts";

/** Whether a rule gives a place something that the service never returns. */
export function isNeverReturned({ attribute, sub }: TargetPath, rule: ValueRule): boolean {
  if (attribute.returned === "never") return true;
  return sub === null ? holdsNeverReturned(attribute, rule) : sub.returned === "never";
}

function holdsNeverReturned({ subAttributes }: Attribute, rule: ValueRule): boolean {
  const secret = new Set(
    subAttributes.filter(({ returned }) => returned === "never").map(({ name }) => name),
  );
  if (secret.size === 0) return false;
  const isOne = (each: ValueRule): boolean => {
    if (each.kind === "list") return each.items.some(isOne);
    // An expression may give any of them.
    return each.kind === "object" ? each.members.some(([name]) => secret.has(name)) : true;
  };
  return isOne(rule);
}
