/**
 * What a record is known by, and whether a resource of a running service has it.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
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
  const value = memberOf(record, name);
  return typeof value === "string" && value !== "" ? value : null;
}

function isUnique({ uniqueness = "none", multiValued, type }: AttributeDefinition): boolean {
  return uniqueness !== "none" && multiValued !== true && type === "string";
}

/** Whether a resource has the value, in whatever letter case the service compares it. */
export function holds(resource: JsonObject, { path, value }: Match): boolean {
  const held = memberOf(resource, path);
  return typeof held === "string" && foldedKey(held) === foldedKey(value);
}

/** A value without letter case, whatever its schema says of it. */
export function foldedKey(value: string): ComparisonKey | undefined {
  return comparisonKey("string", false, value);
}
