/**
 * The resource type that a command or a request of administration names.
 * @module
 */
import type { ResourceModel } from "@scim/core";
import { ScimError } from "@scim/schemas";

/**
 * The model of a name, in any letter case.
 * @throws ScimError `invalidValue` naming those that there are
 */
export function modelNamed(models: readonly ResourceModel[], name: string): ResourceModel {
  const lower = name.toLowerCase();
  const found = models.find((each) => each.name.toLowerCase() === lower);
  if (found !== undefined) return found;
  const known = models.map((each) => each.name).join(", ");
  throw new ScimError("invalidValue", `There is no resource type '${name}'; there are ${known}.`);
}
