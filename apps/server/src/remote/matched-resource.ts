/**
 * Finds the resource of a running service that a record means.
 * @module
 */
import type { ClientResourceType, DynamicShape, ResourceClient } from "@scim/client";
import type { AttributeDefinition, JsonObject } from "@scim/schemas";

/** An attribute that tells resources apart, with its value. */
export interface Match {
  readonly path: string;
  readonly value: string;
  /** Whether the service itself refuses a second resource of this value. */
  readonly isUnique: boolean;
}

/**
 * What a record is known by, the surest first: `externalId`, what the schema calls unique, such as `userName`, and a
 * `displayName` where there is nothing else.
 */
export function matchesOf(record: JsonObject, { schema }: ClientResourceType): readonly Match[] {
  const unique = schema.attributes.filter(isUnique).map(({ name }) => name);
  const found = [
    { path: "externalId", isUnique: false },
    ...unique.map((path) => ({ path, isUnique: true })),
    ...(unique.length === 0 ? [{ path: "displayName", isUnique: false }] : []),
  ];
  return found.flatMap(({ path, isUnique: refused }) => {
    const value = record[path];
    return typeof value === "string" && value !== "" ? [{ path, value, isUnique: refused }] : [];
  });
}

function isUnique({ uniqueness = "none", multiValued, type }: AttributeDefinition): boolean {
  return uniqueness !== "none" && multiValued !== true && type === "string";
}

/** Resources that have the value: none, one, or two where there are several. */
export async function resourcesWith(
  resources: ResourceClient<DynamicShape>,
  { path, value }: Match,
): Promise<readonly DynamicShape["Resource"][]> {
  const found: DynamicShape["Resource"][] = [];
  for await (const each of resources.list({ filter: `${path} eq ${JSON.stringify(value)}` })) {
    found.push(each);
    if (found.length === 2) break;
  }
  return found;
}
