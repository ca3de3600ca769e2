/**
 * The URNs of RFC 7643 and RFC 7644.
 * @module
 */
/** The schema of users (RFC 7643 §4.1). */
export const USER_URN = "urn:ietf:params:scim:schemas:core:2.0:User";
/** The schema of groups (RFC 7643 §4.2). */
export const GROUP_URN = "urn:ietf:params:scim:schemas:core:2.0:Group";
/** The extension of users in an enterprise (RFC 7643 §4.3). */
export const ENTERPRISE_USER_URN = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";
/** The schema of what a service supports (RFC 7643 §5). */
export const SERVICE_PROVIDER_CONFIG_URN = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig";
/** The schema of resource types (RFC 7643 §6). */
export const RESOURCE_TYPE_URN = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";
/** The schema of schemas (RFC 7643 §7). */
export const SCHEMA_URN = "urn:ietf:params:scim:schemas:core:2.0:Schema";

/** Our own extension of ServiceProviderConfig. */
export const SERVICE_PROVIDER_CONFIG_EXTENSION_URN =
  "urn:example:params:scim:schemas:extension:scim:1.0:ServiceProviderConfig";

/** The message that answers a query (RFC 7644 §3.4.2). */
export const LIST_RESPONSE_URN = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
/** The message of a PATCH (RFC 7644 §3.5.2). */
export const PATCH_OP_URN = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
/** The message of an error (RFC 7644 §3.12). */
export const ERROR_URN = "urn:ietf:params:scim:api:messages:2.0:Error";
/** The message of a query by POST (RFC 7644 §3.4.3). */
export const SEARCH_REQUEST_URN = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
/** The message of a bulk job (RFC 7644 §3.7). */
export const BULK_REQUEST_URN = "urn:ietf:params:scim:api:messages:2.0:BulkRequest";
/** The message that answers a bulk job (RFC 7644 §3.7.3). */
export const BULK_RESPONSE_URN = "urn:ietf:params:scim:api:messages:2.0:BulkResponse";

/** Our own message, for dry runs. */
export const DRY_RUN_RESPONSE_URN = "urn:example:params:scim:api:messages:scim:1.0:DryRunResponse";

/** Whether two schema URNs name the same schema: letter case does not matter (RFC 7644 §3.10). */
export function isSameUrn(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
