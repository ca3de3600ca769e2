/**
 * Where the metadata of SCIM as a protected resource are (RFC 9728).
 * @module
 */
import { isTenantName } from "@scim/tenancy";
import type { OldAddress } from "../http/mount.ts";

/** What stands before the path of a resource (RFC 9728 §3.1). */
export const RESOURCE_PATH = "/.well-known/oauth-protected-resource";

const SCIM_PATH = /\/scim(?:\/(?<tenant>[^/]+))?\/v2$/;

/** The metadata of a base address of SCIM, which a 401 names (RFC 9728 §5.1); null for addresses of old, which have none. */
export function resourceMetadataOf(baseUrl: string, mounts: readonly OldAddress[]): string | null {
  const found = SCIM_PATH.exec(baseUrl);
  if (found === null || mounts.some(({ path }) => baseUrl.endsWith(path))) return null;
  const tenant = found.groups?.["tenant"];
  // What cannot be a tenant would only be repeated.
  if (tenant !== undefined && !isTenantName(tenant)) return null;
  return `${baseUrl.slice(0, found.index)}${RESOURCE_PATH}${found[0]}`;
}
