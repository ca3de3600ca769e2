/**
 * The resource type of a service that a flag names.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import { CommandFailure, EXIT } from "../failure.ts";

/**
 * The type of a name, in any letter case.
 * @throws CommandFailure naming those that the service has
 */
export function typeNamed(types: readonly ClientResourceType[], wanted: string): ClientResourceType {
  const lower = wanted.toLowerCase();
  const found = types.find(({ name }) => name.toLowerCase() === lower);
  if (found !== undefined) return found;
  const names = types.map(({ name }) => name).join(", ");
  throw new CommandFailure(EXIT.usage, `The service has no resource type '${wanted}'; it has ${names}.`);
}
