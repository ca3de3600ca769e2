/**
 * The resource types that tools are made for, and what may be done with each.
 * @module
 */
import {
  GROUP,
  ServiceError,
  USER,
  type ClientResourceType,
  type PlainAnswer,
  type ScimClient,
} from "@scim/client/fetch";
import { isJsonArray, isJsonObject, RESOURCE_OPERATIONS, type ResourceOperation } from "@scim/schemas";

/** A resource type. */
export interface ToolResourceType extends ClientResourceType {
  /** What clients may do with it. Default: everything. */
  readonly operations?: readonly ResourceOperation[] | undefined;
}

/** Whether something may be done with the resources of a type. */
export function offers({ operations }: ToolResourceType, operation: ResourceOperation): boolean {
  return operations === undefined || operations.includes(operation);
}

/** Statuses by which a service says that it tells nothing of its types. */
const UNTOLD: ReadonlySet<number> = new Set([403, 404, 405, 501]);

/** The resource types of a service by its own account; users and groups where it gives none. */
export async function discoverTypes(client: ScimClient): Promise<readonly ToolResourceType[]> {
  try {
    const types = await client.discovery.resourceTypes();
    const narrowed = narrowedIn(await client.request({ method: "GET", path: "/ResourceTypes" }));
    return types.map((type) => ({ ...type, operations: narrowed.get(type.name) }));
  } catch (error) {
    // The shapes of users and groups are a matter of types alone.
    if (error instanceof ServiceError && UNTOLD.has(error.status)) return [USER, GROUP] as ToolResourceType[];
    throw error;
  }
}

/** What our own services say beside the RFC: the operations of a type that has not all of them. */
function narrowedIn({ body }: PlainAnswer): ReadonlyMap<string, readonly ResourceOperation[]> {
  const listed = body?.["Resources"];
  const types = isJsonArray(listed) ? listed.filter(isJsonObject) : [];
  return new Map(
    types.flatMap(({ name, operations }) => {
      if (typeof name !== "string" || !isJsonArray(operations)) return [];
      return [[name, RESOURCE_OPERATIONS.filter((operation) => operations.includes(operation))] as const];
    }),
  );
}
