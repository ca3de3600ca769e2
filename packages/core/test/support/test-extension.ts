/**
 * The invented extension that has an attribute for every type and characteristic, bound to User.
 * @module
 */
import { loadTestExtension } from "@scim/fixtures";
import {
  USER_RESOURCE_TYPE,
  type AttributeAnnotation,
  type JsonObject,
  type JsonValue,
  type SchemaRegistry,
} from "@scim/schemas";

/** URN of the extension. */
export const TEST_URN = "urn:example:params:scim:schemas:extension:test:2.0:User";

/** Binds the extension, beside the enterprise one, with annotations by attribute name. */
export function bindTestExtension(
  annotations: Readonly<Record<string, AttributeAnnotation>> = {},
  required = false,
): (registry: SchemaRegistry) => void {
  return (registry) => {
    registry.addSchema(loadTestExtension());
    registry.addResourceType(
      {
        ...USER_RESOURCE_TYPE,
        schemaExtensions: [...USER_RESOURCE_TYPE.schemaExtensions, { schema: TEST_URN, required }],
        annotations: {
          ...USER_RESOURCE_TYPE.annotations,
          ...Object.fromEntries(
            Object.entries(annotations).map(([name, annotation]) => [`${TEST_URN}:${name}`, annotation]),
          ),
        },
      },
      { allowBreaking: true },
    );
  };
}

/** The extension as a member of a User. */
export function extended(values: JsonValue): JsonObject {
  return { [TEST_URN]: values };
}

/** A value of the extension in a resource. */
export function extendedValue(resource: JsonObject, name: string): JsonValue | undefined {
  const values = resource[TEST_URN];
  return typeof values === "object" && values !== null && !Array.isArray(values)
    ? (values as JsonObject)[name]
    : undefined;
}
