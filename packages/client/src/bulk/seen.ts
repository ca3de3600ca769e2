/**
 * Whether what a change sets and clears is to be seen in the resource at all: of what a service never returns, such as a
 * password, or returns on request alone, an answer tells nothing (RFC 7643 §7).
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  type AttributeDefinition,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import type { ClientResourceType } from "../resources/resource-type.ts";
import { operationsIn, PATH } from "./in-effect.ts";
import type { PlannedChange } from "./operation.ts";

/** What answers tell of an attribute, and of what is inside it, by lower-case name. */
interface Sight {
  readonly isHidden: boolean;
  readonly inside: ReadonlyMap<string, Sight>;
}

/** Whether an answer tells everything that a change sets and clears. What no schema names counts as told. */
export function isSeen({ type, method, data }: Pick<PlannedChange, "type" | "method" | "data">): boolean {
  if (data === null) return true;
  const resource = sightOf(type);
  if (method === "PUT") return isTold(resource, data);
  const operations = operationsIn(data) ?? [];
  return operations.every(({ path, sub, value }) => {
    const whole = path === "" ? resource : sightAt(resource, path);
    return isTold(sub === null ? whole : whole?.inside.get(sub.toLowerCase()), value);
  });
}

function sightOf({ schema, extensions }: Pick<ClientResourceType, "schema" | "extensions">): Sight {
  const own = insideOf(schema.attributes);
  const urns = [schema, ...extensions].map(
    ({ id, attributes }) => [id.toLowerCase(), { isHidden: false, inside: insideOf(attributes) }] as const,
  );
  return { isHidden: false, inside: new Map([...own, ...urns]) };
}

function insideOf(attributes: readonly AttributeDefinition[]): ReadonlyMap<string, Sight> {
  return new Map(
    attributes.map((attribute) => {
      const { name, mutability, returned } = attribute;
      const isHidden = mutability === "writeOnly" || returned === "never" || returned === "request";
      const inside = attribute.type === "complex" ? insideOf(attribute.subAttributes) : new Map();
      return [name.toLowerCase(), { isHidden, inside }];
    }),
  );
}

/** What a path means. The URN of a schema is a path too, and stands before an attribute of it. */
function sightAt(resource: Sight, path: string): Sight | undefined {
  const whole = resource.inside.get(path.toLowerCase());
  if (whole !== undefined) return whole;
  const [urn, name, sub] = (PATH.exec(path)?.slice(1) ?? []) as readonly (string | undefined)[];
  const holder = urn === undefined ? resource : resource.inside.get(urn.toLowerCase());
  const attribute = holder?.inside.get(name?.toLowerCase() ?? "");
  return sub === undefined ? attribute : attribute?.inside.get(sub.toLowerCase());
}

/** @param value undefined where it is cleared, with all that is inside */
function isTold(sight: Sight | undefined, value: JsonValue | undefined): boolean {
  if (sight === undefined) return true;
  if (sight.isHidden) return false;
  if (value === undefined) return [...sight.inside.values()].every((each) => isTold(each, undefined));
  if (isJsonArray(value)) return value.every((each) => isTold(sight, each));
  return !isJsonObject(value) || areTold(sight, value);
}

function areTold(sight: Sight, members: JsonObject): boolean {
  return Object.entries(members).every(([name, value]) => isTold(sightAt(sight, name), value ?? undefined));
}
