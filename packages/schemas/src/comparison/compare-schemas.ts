/**
 * Compares two versions of a schema.
 * @module
 */
import { resolveAttribute, type Attribute } from "../attribute.ts";
import type { SchemaDefinition } from "../schema.ts";
import { isSameUrn } from "../urns.ts";
import { additionOf, attributeDifferences, removalOf } from "./attribute-differences.ts";
import type { SchemaDifference } from "./difference.ts";

/**
 * What a new version of a schema has other than the old one, by attribute path; empty where they say the same. The
 * order of attributes means nothing, and characteristics that are left out count as their defaults (RFC 7643 §2.2).
 *
 * Breaking are: an attribute removed, renamed or newly required, another type or number of values, `caseExact`
 * changed, `canonicalValues` or `referenceTypes` narrowed, less `mutability`, less or more daring `returned`, another
 * `uniqueness` than none. Everything else is compatible, such as a new optional attribute.
 *
 * @example
 * const breaking = compareSchemas(released, draft).filter((difference) => difference.breaking);
 * for (const { path, message } of breaking) console.error(`${path} ${message}`);
 */
export function compareSchemas(
  before: SchemaDefinition,
  after: SchemaDefinition,
): readonly SchemaDifference[] {
  return [...schemaDifferences(before, after), ...listDifferences(resolved(before), resolved(after), "")];
}

function resolved(schema: SchemaDefinition): readonly Attribute[] {
  return schema.attributes.map(resolveAttribute);
}

function schemaDifferences(before: SchemaDefinition, after: SchemaDefinition): readonly SchemaDifference[] {
  const differences: SchemaDifference[] = [];
  const add = (kind: SchemaDifference["kind"], message: string): void => {
    differences.push({ path: "", kind, breaking: false, message });
  };
  if (!isSameUrn(before.id, after.id)) {
    add("id", `is another schema, ${after.id}: both can be served beside each other`);
  }
  if ((before.name ?? "") !== (after.name ?? "")) add("name", "has another name");
  if ((before.description ?? "") !== (after.description ?? "")) add("description", "has another description");
  return differences;
}

function listDifferences(
  before: readonly Attribute[],
  after: readonly Attribute[],
  prefix: string,
): readonly SchemaDifference[] {
  const old = byName(before);
  const fresh = byName(after);
  const gone = before.filter((attribute) => !fresh.has(attribute.name.toLowerCase()));
  return [
    ...gone.map((attribute) => removalOf(`${prefix}${attribute.name}`)),
    ...after.flatMap((attribute) => {
      const path = `${prefix}${attribute.name}`;
      const was = old.get(attribute.name.toLowerCase());
      return was === undefined ? [additionOf(path, attribute)] : differencesWithin(path, was, attribute);
    }),
  ];
}

function differencesWithin(path: string, before: Attribute, after: Attribute): readonly SchemaDifference[] {
  const own = attributeDifferences(path, before, after);
  if (before.type !== after.type) return own;
  return [...own, ...listDifferences(before.subAttributes, after.subAttributes, `${path}.`)];
}

function byName(attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> {
  return new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]));
}
