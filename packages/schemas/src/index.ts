/**
 * `@scim/schemas`: the vocabulary of SCIM 2.0 as typed data. This file is the whole public surface.
 * @module
 */
export {
  ATTRIBUTE_TYPES,
  MUTABILITIES,
  RETURNED,
  UNIQUENESSES,
  type AttributeType,
  type Mutability,
  type Returned,
  type Uniqueness,
} from "./characteristics.ts";
export {
  resolveAttribute,
  type Attribute,
  type AttributeDefinition,
  type ComplexAttributeDefinition,
  type SimpleAttributeDefinition,
  type SubAttributeDefinition,
} from "./attribute.ts";
export { defineSchema, type SchemaDefinition } from "./schema.ts";
export type {
  AttributeAnnotation,
  ResourceOperation,
  ResourceTypeDefinition,
  SchemaExtensionBinding,
} from "./resource-type.ts";
export type { SchemaRegistry } from "./registry.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { ERROR_CODES, type ErrorCode, type ErrorCodeRow, type ScimType } from "./errors/codes.ts";
export { ScimError, type ScimErrorOptions } from "./errors/scim-error.ts";
export {
  ENTERPRISE_USER_URN,
  ERROR_URN,
  GROUP_URN,
  LIST_RESPONSE_URN,
  PATCH_OP_URN,
  RESOURCE_TYPE_URN,
  SCHEMA_URN,
  SERVICE_PROVIDER_CONFIG_URN,
  USER_URN,
} from "./urns.ts";
