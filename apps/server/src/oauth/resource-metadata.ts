/**
 * Where the metadata of SCIM as a protected resource are (RFC 9728).
 * @module
 */
import { isTenantName } from "@scim/tenancy";
import { type OldAddress, servedPath } from "../http/mount.ts";

/** What stands before the path of a resource (RFC 9728 §3.1). */
export const RESOURCE_PATH = "/.well-known/oauth-protected-resource";

/** The metadata of a base address of SCIM, which a 401 names (RFC 9728 §5.1); null for addresses of old, which have none. */
export function resourceMetadataOf(baseUrl: string, mounts: readonly OldAddress[]): string | null {
  const served = servedPath(baseUrl, mounts);
  if (served === null || served.isOld) return null;
  // What cannot be a tenant would only be repeated.
  if (served.named !== null && !isTenantName(served.named)) return null;
  return `${baseUrl.slice(0, -served.path.length)}${RESOURCE_PATH}${served.path}`;
}
