/**
 * Serves memberships of groups as resources, where the setting `groupMemberships` asks for them.
 * @module
 */
import {
  GROUP_MEMBERSHIP_RESOURCE_TYPE,
  GROUP_MEMBERSHIP_SCHEMA,
  SchemaDocumentError,
  type SchemaRegistry,
} from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";

/**
 * Adds the memberships of groups to a registry that holds everything else.
 * @throws CommandFailure where documents of the operator take their name, endpoint or collection
 */
export function addGroupMemberships(registry: SchemaRegistry): void {
  try {
    registry.addSchema(GROUP_MEMBERSHIP_SCHEMA);
    registry.addResourceType(GROUP_MEMBERSHIP_RESOURCE_TYPE);
  } catch (cause) {
    if (!(cause instanceof SchemaDocumentError)) throw cause;
    throw new CommandFailure(EXIT.usage, `groupMemberships cannot be on: ${cause.message}`, cause);
  }
}
