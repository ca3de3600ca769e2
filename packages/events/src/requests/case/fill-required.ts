/**
 * Fills what a resource must have and an answer did not show, since the request asked for other attributes.
 * @module
 */
import type { AttributeNode, ResourceModel } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { LoggedRequest } from "../entry.ts";

/** `attribute eq "text"`, anywhere in a filter. */
const EQUALITY = /(?<![\w.:$-])(?<name>[\w.:$-]+)\s+eq\s+(?<text>"(?:[^"\\]|\\.)*")/gi;

/**
 * Fills a resource that was answered. What the filter of the request asks for, it has; any other value is as good, since
 * the answer showed none.
 * @param shown a text that no other resource of the case has
 */
export function fillRequired(
  model: ResourceModel,
  resource: JsonObject,
  { entry, shown }: { readonly entry: Pick<LoggedRequest, "target" | "body">; readonly shown: string },
): JsonObject {
  const stated = new Set(Object.keys(resource).map((name) => name.toLowerCase()));
  const missing = [...model.members].filter(
    ([name, { attribute, extension }]) =>
      extension === null && attribute.required && attribute.mutability !== "readOnly" && !stated.has(name),
  );
  if (missing.length === 0) return resource;
  const asked = equalities(filterOf(entry));
  const filled = missing.map(([name, node]): [string, JsonValue] => [
    node.attribute.name,
    asked.get(name) ?? anyValue(node, shown),
  ]);
  return { ...resource, ...Object.fromEntries(filled) };
}

/**
 * Fills extensions that an answer names among its schemas and did not show: a resource has those of which it holds something.
 * @param named the schemas of the answer
 * @param shown a text that no other resource of the case has
 */
export function fillExtensions(
  model: ResourceModel,
  resource: JsonObject,
  { named, shown }: { readonly named: readonly JsonValue[]; readonly shown: string },
): JsonObject {
  const filled = [...model.extensions.values()].flatMap(({ urn }): [string, JsonValue][] => {
    const nodes = [...(model.members.get(urn.toLowerCase())?.subAttributes.values() ?? [])];
    const plain = nodes.find(
      ({ attribute: { type, multiValued, mutability } }) =>
        type === "string" && !multiValued && mutability !== "readOnly",
    );
    const isLacking = named.includes(urn) && !Object.hasOwn(resource, urn);
    return isLacking && plain !== undefined ? [[urn, { [plain.attribute.name]: shown }]] : [];
  });
  return { ...resource, ...Object.fromEntries(filled) };
}

function equalities(filter: string): ReadonlyMap<string, JsonValue> {
  const found = [...filter.matchAll(EQUALITY)].flatMap(({ groups }) => {
    const { name = "", text = "" } = groups ?? {};
    const [last = ""] = name.split(":").slice(-1);
    // Values of persons are pseudonyms here, without anything to escape.
    return text.includes("\\") ? [] : [[last.toLowerCase(), text.slice(1, -1)] as const];
  });
  return new Map(found);
}

/** The filter of a list, or of a search. */
function filterOf({ target, body }: Pick<LoggedRequest, "target" | "body">): string {
  const sent = isJsonObject(body?.json) ? body.json["filter"] : undefined;
  if (typeof sent === "string") return sent;
  const query = target.indexOf("?");
  return query === -1 ? "" : (new URLSearchParams(target.slice(query)).get("filter") ?? "");
}

function anyValue(node: AttributeNode, shown: string): JsonValue {
  const value = anyScalar(node, shown);
  return node.attribute.multiValued ? [value] : value;
}

function anyScalar({ attribute, subAttributes }: AttributeNode, shown: string): JsonValue {
  switch (attribute.type) {
    case "boolean":
      return false;
    case "integer":
    case "decimal":
      return 0;
    case "dateTime":
      return "2000-01-01T00:00:00Z";
    case "complex": {
      const required = [...subAttributes.values()].filter((sub) => sub.attribute.required);
      return Object.fromEntries(required.map((sub) => [sub.attribute.name, anyValue(sub, shown)]));
    }
    case "binary":
      return "";
    default:
      return shown;
  }
}
