/**
 * Resource types whose resources are the rows of a reference collection of another type.
 * @module
 */
import type { ResourceTypeDefinition, SchemaRegistry } from "@scim/schemas";
import type { AttributeNode } from "./attribute-node.ts";

/** Where the rows come from that a resource type shows. */
export interface RowSource {
  /** Name of the resource type that owns the collection, such as `Group`. */
  readonly type: string;
  /** Path of the collection in it, such as `members`. */
  readonly path: string;
  /** Attribute of a row that refers to the owner. */
  readonly owner: AttributeNode;
  /** Attribute of a row that holds the value of the collection. */
  readonly value: AttributeNode;
  /** Member of the owner's JSON that a row shows as the owner's `display`, or null. */
  readonly displayKey: string | null;
}

/** The source of the rows that a resource type shows; null where its resources are its own. */
export function buildRowSource(
  { rowsOf }: ResourceTypeDefinition,
  members: ReadonlyMap<string, AttributeNode>,
  registry: SchemaRegistry,
): RowSource | null {
  if (rowsOf === undefined) return null;
  const owner = members.get(rowsOf.owner.toLowerCase());
  const value = members.get(rowsOf.value.toLowerCase());
  const schema = registry.resourceType(rowsOf.type)?.schema;
  if (owner === undefined || value === undefined || schema === undefined)
    throw new TypeError(`The registry does not have the rows of ${rowsOf.type}.${rowsOf.path}`);
  const hasName = registry.schema(schema)?.attributes.some(({ name }) => name === "displayName") ?? false;
  return {
    type: rowsOf.type,
    path: rowsOf.path,
    owner,
    value,
    displayKey: hasName && owner.subAttributes.has("display") ? "displayName" : null,
  };
}
