/**
 * What RFC 7643 §7 wants of a schema for those who read it, and a service can do without: it is noted, not refused.
 * @module
 */
import { resolveAttribute, type Attribute, type AttributeDefinition } from "../attribute.ts";
import { isReferenceCollection } from "../reference-attributes.ts";
import type { SchemaDefinition } from "../schema.ts";
import { quote, type IssueList } from "./issue-list.ts";
import type { ReadAttribute } from "./attribute-rules.ts";

/** What the notes are about. */
export interface NotedSchema {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly attributes: readonly ReadAttribute[];
}

/** Paths that a note names; the others are counted. */
const MOST_NAMED = 8;

/** Notes a schema without name or description, and its attributes without description or `referenceTypes`. */
export function noteMissing({ name, description, attributes }: NotedSchema, issues: IssueList): void {
  if (isBlank(name))
    issues.note("name", 'is missing: give one for people, such as "Department" (RFC 7643 §7)');
  if (isBlank(description))
    issues.note("description", "is missing: say what the schema describes (RFC 7643 §7)");
  const undescribed = named(pathsOf(attributes, isUndescribed));
  if (undescribed !== "") {
    issues.note(
      "attributes",
      `have no description: ${undescribed}. Give each one: some clients refuse to read a schema without (RFC 7643 §7)`,
    );
  }
  const aimless = named(pathsOf(attributes, lacksAim));
  if (aimless !== "") {
    issues.note(
      "attributes",
      `have no referenceTypes: ${aimless}. Name resource types, "external" or "uri" (RFC 7643 §7)`,
    );
  }
}

function isUndescribed({ description }: ReadAttribute): boolean {
  return isBlank(description);
}

function lacksAim({ type, referenceTypes = [] }: ReadAttribute): boolean {
  return type === "reference" && referenceTypes.length === 0;
}

/** Paths of the attributes and sub-attributes that something is to be said of. */
function pathsOf(
  attributes: readonly ReadAttribute[],
  isMeant: (attribute: ReadAttribute) => boolean,
): readonly string[] {
  const paths: string[] = [];
  for (const attribute of attributes) {
    if (isMeant(attribute)) paths.push(attribute.name);
    for (const sub of attribute.subAttributes ?? [])
      if (isMeant(sub)) paths.push(`${attribute.name}.${sub.name}`);
  }
  return paths;
}

/** Notes a uniqueness that no store keeps: of what is not part of the resource's own JSON. */
export function noteUnkept({ attributes }: SchemaDefinition, issues: IssueList): void {
  // Few attributes have one: the others need not be resolved.
  const unique = attributes.filter(
    (each) => isUnique(each) || (each.type === "complex" && each.subAttributes.some(isUnique)),
  );
  const unkept = unique.map(resolveAttribute).flatMap((attribute) => {
    const isElsewhere = ({ mutability }: Attribute): boolean =>
      mutability === "writeOnly" || attribute.mutability === "writeOnly" || isReferenceCollection(attribute);
    const parts = attribute.subAttributes.filter((sub) => isUnique(sub) && isElsewhere(sub));
    const own = isUnique(attribute) && isElsewhere(attribute) ? [attribute.name] : [];
    return [...own, ...parts.map((sub) => `${attribute.name}.${sub.name}`)];
  });
  if (unkept.length === 0) return;
  issues.note(
    "attributes",
    `have a uniqueness that is not kept: ${named(unkept)}. Values that are writeOnly, and those of a list of references, may be alike`,
  );
}

function isUnique({ uniqueness = "none" }: Pick<AttributeDefinition, "uniqueness">): boolean {
  return uniqueness !== "none";
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, MOST_NAMED).map((path) => quote(path).slice(1, -1));
  const more = paths.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}
