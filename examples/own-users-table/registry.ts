/**
 * The schema that the table can keep: `/Schemas` promises no attribute that has no column.
 * @module
 */
import { createSchemaRegistry, USER_SCHEMA, type SchemaRegistry } from "@scim/schemas";

const KEPT = new Set(["userName", "name", "emails", "title", "active"]);
const PARTS = new Set(["givenName", "familyName", "value", "type", "primary"]);

/** A registry of users as the table has them. */
export function usersRegistry(): SchemaRegistry {
  const registry = createSchemaRegistry();
  const attributes = USER_SCHEMA.attributes
    .filter(({ name }) => KEPT.has(name))
    .map((attribute) =>
      "subAttributes" in attribute
        ? { ...attribute, subAttributes: attribute.subAttributes.filter(({ name }) => PARTS.has(name)) }
        : attribute,
    );
  registry.addSchema({ ...USER_SCHEMA, attributes });
  registry.addResourceType({ name: "User", endpoint: "/Users", schema: USER_SCHEMA.id });
  return registry;
}
