/**
 * Makes the resources that discovery serves of definitions (RFC 7643 §6, §7).
 * @module
 */
import { resolveAttribute, type Attribute } from "../attribute.ts";
import type { AttributeType } from "../characteristics.ts";
import type { JsonObject } from "../json.ts";
import { RESOURCE_OPERATIONS, type ResourceTypeDefinition } from "../resource-type.ts";
import type { SchemaDefinition } from "../schema.ts";
import { RESOURCE_TYPE_URN, SCHEMA_URN } from "../urns.ts";

/** Data types for which letter case is a question (RFC 7643 §2.3). */
const WITH_CASE: ReadonlySet<AttributeType> = new Set(["string", "reference", "binary"]);
/** Data types without uniqueness (RFC 7643 §2.3). */
const WITHOUT_UNIQUENESS: ReadonlySet<AttributeType> = new Set(["complex", "boolean", "binary"]);

/**
 * The Schema resource of a definition, as `/Schemas` serves it: every characteristic that applies is spelled
 * out, no value is null. `meta` is left to the service, which knows the address.
 */
export function toSchemaResource(definition: SchemaDefinition): JsonObject {
  return {
    schemas: [SCHEMA_URN],
    id: definition.id,
    ...(definition.name === undefined ? {} : { name: definition.name }),
    ...(definition.description === undefined ? {} : { description: definition.description }),
    attributes: definition.attributes.map((attribute) => attributeResource(resolveAttribute(attribute))),
  };
}

function attributeResource(attribute: Attribute): JsonObject {
  const { name, type, description, canonicalValues, referenceTypes } = attribute;
  return {
    name,
    type,
    multiValued: attribute.multiValued,
    ...(description === "" ? {} : { description }),
    required: attribute.required,
    ...(canonicalValues.length === 0 ? {} : { canonicalValues }),
    ...(WITH_CASE.has(type) ? { caseExact: attribute.caseExact } : {}),
    mutability: attribute.mutability,
    returned: attribute.returned,
    ...(WITHOUT_UNIQUENESS.has(type) ? {} : { uniqueness: attribute.uniqueness }),
    ...(referenceTypes.length === 0 ? {} : { referenceTypes }),
    ...(type === "complex" ? { subAttributes: attribute.subAttributes.map(attributeResource) } : {}),
  };
}

/**
 * The ResourceType resource of a definition, as `/ResourceTypes` serves it. `operations` is part of it where the
 * definition narrows them; annotations never are. `meta` is left to the service, which knows the address.
 */
export function toResourceTypeResource(definition: ResourceTypeDefinition): JsonObject {
  const { name, description, endpoint, schema, schemaExtensions = [], operations } = definition;
  const narrowed =
    operations !== undefined && RESOURCE_OPERATIONS.some((operation) => !operations.includes(operation));
  return {
    schemas: [RESOURCE_TYPE_URN],
    id: name,
    name,
    ...(description === undefined ? {} : { description }),
    endpoint,
    schema,
    ...(schemaExtensions.length === 0
      ? {}
      : {
          schemaExtensions: schemaExtensions.map((binding) => ({
            schema: binding.schema,
            required: binding.required,
          })),
        }),
    ...(narrowed ? { operations } : {}),
  };
}
