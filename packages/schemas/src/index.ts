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
export { precisionOf, scaleOf } from "./decimal-digits.ts";
export { isExactNumber } from "./exact-number.ts";
export { isReferenceCollection, namedTypes, referencedTypes } from "./reference-attributes.ts";
export { defineSchema, type SchemaDefinition } from "./schema.ts";
export {
  RESOURCE_OPERATIONS,
  SENSITIVITIES,
  type AttributeAnnotation,
  type ResourceOperation,
  type ResourceTypeDefinition,
  type RowsOfCollection,
  type SchemaExtensionBinding,
  type Sensitivity,
} from "./resource-type.ts";
export { COMMON_ATTRIBUTES } from "./definitions/common-attributes.ts";
export { ENTERPRISE_USER_SCHEMA } from "./definitions/enterprise-user.ts";
export { GROUP_SCHEMA } from "./definitions/group.ts";
export {
  GROUP_MEMBERSHIP_RESOURCE_TYPE,
  GROUP_MEMBERSHIP_SCHEMA,
  GROUP_MEMBERSHIP_URN,
} from "./definitions/group-membership.ts";
export { RESOURCE_TYPE_SCHEMA } from "./definitions/resource-type.ts";
export { GROUP_RESOURCE_TYPE, USER_RESOURCE_TYPE } from "./definitions/resource-types.ts";
export { SCHEMA_SCHEMA } from "./definitions/schema.ts";
export { SERVICE_PROVIDER_CONFIG_EXTENSION_SCHEMA } from "./definitions/service-provider-config-extension.ts";
export { SERVICE_PROVIDER_CONFIG_SCHEMA } from "./definitions/service-provider-config.ts";
export { USER_SCHEMA } from "./definitions/user.ts";
export type { AttributePathOf, InputOf, ResourceOf } from "./infer.ts";
export { createDefaultRegistry, createSchemaRegistry, type SchemaRegistry } from "./registry.ts";
export type { AddOptions } from "./definition-set.ts";
export { compareResourceTypes } from "./comparison/compare-resource-types.ts";
export { identifyDocument, type DocumentIdentity } from "./documents/identify-document.ts";
export { brokenTypes, type BrokenType, type Definitions } from "./comparison/broken-types.ts";
export {
  definitionsOf,
  rememberedDefinitions,
  type DefinitionList,
  type Remembering,
} from "./comparison/remembered-definitions.ts";
export { compareSchemas } from "./comparison/compare-schemas.ts";
export type {
  ResourceTypeDifference,
  ResourceTypeDifferenceKind,
  SchemaDifference,
  SchemaDifferenceKind,
} from "./comparison/difference.ts";
export type { AddedDocuments, DocumentNotice, SourcedDocument } from "./documents/add-documents.ts";
export { documentKind } from "./documents/document-kind.ts";
export {
  SchemaDocumentError,
  type DocumentIssue,
  type SchemaDocumentErrorCode,
} from "./documents/schema-document-error.ts";
export { toResourceTypeResource, toSchemaResource } from "./documents/to-resource.ts";
export { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export { ERROR_CODES, type ErrorCode, type ErrorCodeRow, type ScimType } from "./errors/codes.ts";
export { isScimError } from "./errors/is-scim-error.ts";
export { ScimError, type ScimErrorOptions } from "./errors/scim-error.ts";
export type { BulkOperation, BulkOperationResult, BulkRequest, BulkResponse } from "./messages/bulk.ts";
export { dryRunResponse, type DryRunOutcome, type DryRunResponse } from "./messages/dry-run.ts";
export type { ErrorResponse } from "./messages/error-response.ts";
export { listResponse, type ListPage, type ListResponse } from "./messages/list-response.ts";
export {
  patchOp,
  type AddOperation,
  type PatchOp,
  type PatchOperation,
  type RemoveOperation,
  type ReplaceOperation,
} from "./messages/patch-op.ts";
export type { SearchRequest } from "./messages/search-request.ts";
export {
  BULK_REQUEST_URN,
  BULK_RESPONSE_URN,
  DRY_RUN_RESPONSE_URN,
  ENTERPRISE_USER_URN,
  ERROR_URN,
  GROUP_URN,
  LIST_RESPONSE_URN,
  PATCH_OP_URN,
  RESOURCE_TYPE_URN,
  SCHEMA_URN,
  SEARCH_REQUEST_URN,
  SERVICE_PROVIDER_CONFIG_EXTENSION_URN,
  SERVICE_PROVIDER_CONFIG_URN,
  USER_URN,
  isSameUrn,
} from "./urns.ts";
