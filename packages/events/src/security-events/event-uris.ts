/**
 * The events of RFC 9967 that a service issues.
 * @module
 */

const PROVISIONING = "urn:ietf:params:scim:event:prov";

/** A change that has a notice and a full form (RFC 9967 §2.4). */
export type ToldChange = "create" | "patch" | "put";

/** The URI of a change (RFC 9967 §2.4.1 to §2.4.3). */
export function changeUri(change: ToldChange, mode: "notice" | "full"): string {
  return `${PROVISIONING}:${change}:${mode}`;
}

/** A resource was deleted (RFC 9967 §2.4.4). */
export const DELETE_URI: string = `${PROVISIONING}:delete`;

/** `active` became true, or false (RFC 9967 §2.4.5, §2.4.6). */
export const ACTIVATE_URI: string = `${PROVISIONING}:activate`;
export const DEACTIVATE_URI: string = `${PROVISIONING}:deactivate`;

const CHANGES: readonly ToldChange[] = ["create", "patch", "put"];

/** Every event that may be issued, as `ServiceProviderConfig` lists them (RFC 9967 §4). */
export const SECURITY_EVENT_URIS: readonly string[] = [
  ...CHANGES.flatMap((change) => [changeUri(change, "notice"), changeUri(change, "full")]),
  DELETE_URI,
  ACTIVATE_URI,
  DEACTIVATE_URI,
];
