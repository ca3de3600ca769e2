/**
 * The resource types of a target.
 * @module
 */
import { GROUP, ServiceError, USER, type ClientResourceType, type ScimClient } from "@scim/client";

const UNTOLD: ReadonlySet<number> = new Set([401, 403, 404, 405, 501]);

/** The resource types that a target tells; users and groups of RFC 7643 where it does not tell any. */
export async function resourceTypesOf(
  client: ScimClient,
  signal?: AbortSignal,
): Promise<readonly ClientResourceType[]> {
  try {
    return await client.discovery.resourceTypes({ signal });
  } catch (error) {
    if (!(error instanceof ServiceError) || !UNTOLD.has(error.status)) throw error;
    return [USER, GROUP];
  }
}
