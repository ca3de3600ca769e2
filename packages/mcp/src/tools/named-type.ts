/**
 * A resource type as its tools speak of it.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import type { TypeNames } from "../names.ts";
import type { ValueSchema } from "../tool.ts";

/** What makes the tools of a type. */
export interface NamedType extends TypeNames {
  readonly type: ClientResourceType;
}

/** The id of a resource, as a parameter. */
export function idOf({ name }: ClientResourceType): ValueSchema {
  return { type: "string", minLength: 1, description: `The 'id' of the ${name}.` };
}
