/**
 * Rewrites the references of a resource to what a bulk job makes. The schema says what is a reference: the
 * `value` and `$ref` of complex attributes that have both, and attributes of type reference; text is left alone.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { AttributeNode } from "../../model/attribute-node.ts";
import { mayRefer, readAddressReference, readReference, type BulkReference } from "./reference-text.ts";

/** What to put in the place of a reference: an id; null takes out the value that refers; undefined leaves it. */
export type Resolve = (bulkId: string) => string | null | undefined;

/** One rewriting. */
export interface Rewriting {
  readonly resolve: Resolve;
  /** Called with the path of a required attribute that has no value left. */
  readonly onLost: (path: string) => void;
}

/** Whether any text in a value may be a reference; names of members too, which are paths in a PATCH. */
export function mentionsReference(value: JsonValue): boolean {
  if (typeof value === "string") return mayRefer(value);
  if (isJsonArray(value)) return value.some(mentionsReference);
  return (
    isJsonObject(value) &&
    Object.entries(value).some(([name, member]) => mayRefer(name) || mentionsReference(member))
  );
}

/** Rewrites the members of a resource, an extension or a complex value. */
export function rewriteMembers(
  object: JsonObject,
  nodes: ReadonlyMap<string, AttributeNode>,
  rewriting: Rewriting,
): JsonObject {
  // Made of entries, so that a member named __proto__ stays one.
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): readonly (readonly [string, JsonValue])[] => {
      const node = nodes.get(name.toLowerCase());
      const next = node === undefined ? value : rewriteValue(node, value, rewriting);
      if (next !== undefined) return [[name, next]];
      if (node?.attribute.required === true && !isPartOfReference(node)) rewriting.onLost(node.path);
      return [];
    }),
  );
}

/** Rewrites the value of an attribute; undefined where nothing is left of it. */
export function rewriteValue(
  node: AttributeNode,
  value: JsonValue,
  rewriting: Rewriting,
): JsonValue | undefined {
  // What clients cannot write refers to nothing; a `$ref` is read all the same.
  if (node.attribute.mutability === "readOnly" && !isPartOfReference(node)) return value;
  if (!isJsonArray(value)) return rewriteOne(node, value, rewriting);
  const values = value.map((each) => rewriteOne(node, each, rewriting)).filter((each) => each !== undefined);
  return values.length === 0 && value.length > 0 ? undefined : values;
}

function rewriteOne(node: AttributeNode, value: JsonValue, rewriting: Rewriting): JsonValue | undefined {
  if (typeof value === "string") return rewriteText(node, value, rewriting);
  if (!isJsonObject(value)) return value;
  const members = rewriteMembers(value, node.subAttributes, rewriting);
  const isWhole = Object.keys(members).length === Object.keys(value).length;
  return isWhole || !isReference(node) ? members : undefined;
}

/** Rewrites a text; undefined where it is a reference that is taken out. */
export function rewriteText(node: AttributeNode, text: string, rewriting: Rewriting): string | undefined {
  const reference = referenceIn(node, text);
  if (reference === null) return text;
  const id = rewriting.resolve(reference.bulkId);
  if (id === undefined) return text;
  if (id === null) return undefined;
  return reference.before === "" ? id : `${reference.before}${encodeURIComponent(id)}`;
}

function referenceIn(node: AttributeNode, text: string): BulkReference | null {
  if (node.attribute.type === "reference") return isExternal(node) ? null : readAddressReference(text);
  // Some clients send the id alone where a complex reference is due.
  const isId = isReference(node) || (node.attribute.name === "value" && isPartOfReference(node));
  return isId ? readReference(text) : null;
}

/** Whether a complex attribute refers to resources. */
function isReference(node: AttributeNode): boolean {
  return node.subAttributes.get("$ref")?.attribute.type === "reference";
}

function isPartOfReference(node: AttributeNode): boolean {
  const { name } = node.attribute;
  return (name === "value" || name === "$ref") && node.parent !== null && isReference(node.parent);
}

function isExternal(node: AttributeNode): boolean {
  const { referenceTypes } = node.attribute;
  return referenceTypes.length > 0 && referenceTypes.every((type) => type === "external");
}
