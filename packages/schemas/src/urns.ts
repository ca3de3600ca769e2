/**
 * The URNs of RFC 7643 and RFC 7644.
 * @module
 */
export const USER_URN = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_URN = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const ENTERPRISE_USER_URN = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
export const SERVICE_PROVIDER_CONFIG_URN = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig";
export const RESOURCE_TYPE_URN = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";
export const SCHEMA_URN = "urn:ietf:params:scim:schemas:core:2.0:Schema";

export const LIST_RESPONSE_URN = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
export const PATCH_OP_URN = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const ERROR_URN = "urn:ietf:params:scim:api:messages:2.0:Error";
