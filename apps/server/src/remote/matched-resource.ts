/**
 * Finds the resource of a running service that a record means.
 * @module
 */
import type { ClientResourceType, DynamicShape, ResourceClient } from "@scim/client";
import { comparisonKey, type ComparisonKey } from "@scim/filter";
import { COMMON_ATTRIBUTES, type AttributeDefinition, type JsonObject } from "@scim/schemas";
import { memberOf } from "../import/record-member.ts";

/** An attribute that tells resources apart, with its value. */
export interface Match {
  readonly path: string;
  readonly value: string;
  /** The value as values are compared: without letter case where the attribute has none. */
  readonly key: ComparisonKey;
  /** Whether several resources may bear it, and an `externalId` tells whose they are. */
  readonly isName: boolean;
  /** Whether it is looked for only where the service refuses to create the record. */
  readonly waits: boolean;
  /** Whether services show it to whoever reads the resource. */
  readonly isShown: boolean;
}

/**
 * What a record is known by, the surest first: `externalId`; what the schema calls unique, such as `userName`, which the
 * service itself has once; and a `displayName` where no schema calls anything unique.
 */
export function matchesOf(record: JsonObject, { schema }: ClientResourceType): readonly Match[] {
  const unique = schema.attributes.filter(isUnique);
  const isKnown = textIn(record, "externalId") !== null;
  const common: readonly AttributeDefinition[] = COMMON_ATTRIBUTES;
  const known = common.filter(({ name }) => name === "externalId");
  const names = unique.length > 0 ? [] : schema.attributes.filter(({ name }) => name === "displayName");
  const found = [
    ...known.map((attribute) => ({ attribute, waits: false, isName: false })),
    ...unique.map((attribute) => ({ attribute, waits: true, isName: false })),
    // Two may bear one name where an id tells them apart.
    ...names.map((attribute) => ({ attribute, waits: isKnown, isName: true })),
  ];
  return found.flatMap(({ attribute, waits, isName }) => {
    const { name: path, caseExact = false, returned = "default" } = attribute;
    const value = textIn(record, path);
    const key = value === null ? undefined : comparisonKey("string", caseExact, value);
    const isShown = returned === "default" || returned === "always";
    return value === null || key === undefined ? [] : [{ path, value, key, waits, isName, isShown }];
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
  match: Match,
): Promise<readonly DynamicShape["Resource"][]> {
  const found: DynamicShape["Resource"][] = [];
  const filter = `${match.path} eq ${JSON.stringify(match.value)}`;
  for await (const each of resources.list({ filter })) {
    // A service that does not obey the filter gives everything: nobody may be taken for somebody else.
    if (match.isShown && !holds(each, match)) continue;
    found.push(each);
    if (found.length === 2) break;
  }
  return found;
}

/** Whether a resource has the value, in whatever letter case the service compares it. */
function holds(resource: DynamicShape["Resource"], { path, value }: Match): boolean {
  const held = memberOf(resource, path);
  return (
    typeof held === "string" && comparisonKey("string", false, held) === comparisonKey("string", false, value)
  );
}
