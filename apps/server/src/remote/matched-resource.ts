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
  /** Whether it is looked for only where the service refuses to create the record. */
  readonly waits: boolean;
}

/**
 * What a record is known by, the surest first: `externalId`; what the schema calls unique, such as `userName`, which the
 * service itself has once; and a `displayName` where no schema calls anything unique.
 */
export function matchesOf(record: JsonObject, { schema }: ClientResourceType): readonly Match[] {
  const unique = schema.attributes.filter(isUnique).map(({ name }) => name);
  const isKnown = textIn(record, "externalId") !== null;
  const found = [
    { path: "externalId", waits: false },
    ...unique.map((path) => ({ path, waits: true })),
    // Two may bear one name where an id tells them apart.
    ...(unique.length === 0 ? [{ path: "displayName", waits: isKnown }] : []),
  ];
  return found.flatMap(({ path, waits }) => {
    const value = textIn(record, path);
    return value === null ? [] : [{ path, value, waits }];
  });
}

function textIn(record: JsonObject, name: string): string | null {
  const value = record[name];
  return typeof value === "string" && value !== "" ? value : null;
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
