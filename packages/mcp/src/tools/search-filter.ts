/**
 * The filter of a search by one attribute.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import { parseAttributePath, FilterSyntaxError } from "@scim/filter";
import { eq, type AttributePath, type FilterNode, type Literal } from "@scim/filter/ast";
import { COMMON_ATTRIBUTES, type AttributeDefinition, type JsonValue } from "@scim/schemas";
import { invalidParams } from "../tool-error.ts";

/**
 * `attribute eq value`. A text is read as the number or boolean that the schema asks for.
 * @throws ToolError `invalidParams` where the attribute is no path
 */
export function searchFilter(
  type: ClientResourceType,
  attribute: string,
  value: JsonValue | undefined,
): FilterNode {
  const path = pathOf(attribute);
  return eq(path, literalOf(definitionOf(type, path)?.type, value));
}

function pathOf(attribute: string): AttributePath {
  try {
    return parseAttributePath(attribute);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    throw invalidParams(
      "The parameter 'attribute' is no path of an attribute. Write 'userName', 'emails.value' or 'urn:…:User:department'.",
    );
  }
}

/** The definition of the attribute that a path names; undefined where the schemas have none. */
export function definitionOf(
  type: ClientResourceType,
  { urn, attribute, subAttribute }: AttributePath,
): AttributeDefinition | undefined {
  const schema =
    urn === null ? type.schema : [type.schema, ...type.extensions].find(({ id }) => isSame(id, urn));
  const attributes =
    urn === null ? [...COMMON_ATTRIBUTES, ...type.schema.attributes] : (schema?.attributes ?? []);
  const found = attributes.find(({ name }) => isSame(name, attribute));
  if (subAttribute === null || found === undefined) return found;
  return found.type === "complex"
    ? found.subAttributes.find(({ name }) => isSame(name, subAttribute))
    : undefined;
}

function isSame(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

function literalOf(type: AttributeDefinition["type"] | undefined, value: JsonValue | undefined): Literal {
  if (typeof value === "boolean" || typeof value === "number") return value;
  if (typeof value !== "string") return null;
  if (type === "boolean" && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === "true";
  const isNumber = type === "integer" || type === "decimal";
  return isNumber && value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}
