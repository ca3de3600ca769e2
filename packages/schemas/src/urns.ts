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

/** Our own extension of ServiceProviderConfig. */
export const SERVICE_PROVIDER_CONFIG_EXTENSION_URN =
  "urn:example:params:scim:schemas:extension:scim:1.0:ServiceProviderConfig";

export const LIST_RESPONSE_URN = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
export const PATCH_OP_URN = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const ERROR_URN = "urn:ietf:params:scim:api:messages:2.0:Error";
export const SEARCH_REQUEST_URN = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
export const BULK_REQUEST_URN = "urn:ietf:params:scim:api:messages:2.0:BulkRequest";
export const BULK_RESPONSE_URN = "urn:ietf:params:scim:api:messages:2.0:BulkResponse";

/** Our own message, for dry runs. */
export const DRY_RUN_RESPONSE_URN = "urn:example:params:scim:api:messages:scim:1.0:DryRunResponse";

/** Whether two schema URNs name the same schema: letter case does not matter (RFC 7644 §3.10). */
export function isSameUrn(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
