/**
 * The resource types that tools are made for, and what may be done with each.
 * @module
 */
import { GROUP, ServiceError, USER, type ClientResourceType, type ScimClient } from "@scim/client/fetch";
import type { ResourceOperation } from "@scim/schemas";

/** A resource type. */
export type ToolResourceType = ClientResourceType;

/** Whether something may be done with the resources of a type. */
export function offers({ operations }: ToolResourceType, operation: ResourceOperation): boolean {
  return operations === undefined || operations.includes(operation);
}

/** Statuses by which a service says that it tells nothing of its types. */
const UNTOLD: ReadonlySet<number> = new Set([403, 404, 405, 501]);

/** The resource types of a service by its own account; users and groups where it gives none. */
export async function discoverTypes(
  client: ScimClient,
  signal?: AbortSignal,
): Promise<readonly ToolResourceType[]> {
  try {
    return await client.discovery.resourceTypes({ signal });
  } catch (error) {
    // The shapes of users and groups are a matter of types alone.
    if (error instanceof ServiceError && UNTOLD.has(error.status)) return [USER, GROUP] as ToolResourceType[];
    throw error;
  }
}
