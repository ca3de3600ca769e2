/**
 * Hides personal values from whoever reads the results of tools, by the schemas of the service.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import {
  COMMON_ATTRIBUTES,
  isJsonArray,
  isJsonObject,
  referencedTypes,
  resolveAttribute,
  type Attribute,
  type AttributeDefinition,
  type JsonObject,
  type JsonValue,
  type Sensitivity,
} from "@scim/schemas";

/** What stands in the place of a value that is hidden. */
export const MASK = "[hidden]";

/** What is hidden. */
export interface MaskingPolicy {
  /**
   * Attributes that are shown although they may hold personal values: `Group:displayName` for one resource type,
   * `title` for all. Default {@link DEFAULT_SHOWN}.
   */
  readonly show?: readonly string[] | undefined;
  /**
   * What the service itself says of an attribute; undefined where it says nothing: then what it says of that which holds
   * the attribute counts. Default: it says nothing.
   */
  readonly sensitivityOf?: ((type: string, path: string) => Sensitivity | undefined) | undefined;
}

/** Names of groups: an agent without them can do nothing with groups. */
export const DEFAULT_SHOWN: readonly string[] = ["Group:displayName", "User:groups.display"];

/** Attributes that name resources, for programs. */
const IDENTIFIERS: ReadonlySet<string> = new Set(["id", "externalid", "schemas", "meta"]);

/** Hides what is personal in a resource. */
export type MaskResource = (type: ClientResourceType, resource: JsonObject) => JsonObject;

/**
 * Makes the function that hides values. Shown are ids, versions, references, booleans, numbers, and texts of which the
 * schema lists the usual ones, such as the `type` of an address; every other text is taken for personal, so that
 * forgetting protects. A list keeps its length.
 */
export function createMask({ show = DEFAULT_SHOWN, sensitivityOf }: MaskingPolicy): MaskResource {
  const shown = new Set(show.map((path) => path.toLowerCase()));
  const says: Says = (type, path) => {
    const lower = path.toLowerCase();
    if (shown.has(lower) || shown.has(`${type.toLowerCase()}:${lower}`)) return "shown";
    return sensitivityOf?.(type, path);
  };
  return (type, resource) => {
    const own = namedAttributes([...COMMON_ATTRIBUTES, ...type.schema.attributes]);
    const extensions = new Map(type.extensions.map((schema) => [schema.id.toLowerCase(), schema]));
    const maskPlace = maskOf((path) => says(type.name, path));
    const members = Object.entries(resource).map(([name, value]): [string, JsonValue] => {
      const lower = name.toLowerCase();
      if (IDENTIFIERS.has(lower)) return [name, value];
      const extension = extensions.get(lower);
      if (extension === undefined) return [name, maskPlace({ attribute: own.get(lower), path: name }, value)];
      const attributes = namedAttributes(extension.attributes);
      const place = { attribute: undefined, attributes, path: extension.id, separator: ":" };
      return [name, maskPlace(place, value)];
    });
    return Object.fromEntries(members);
  };
}

/** What is said of an attribute; `shown` stands for all that is in it, too. */
type Said = Sensitivity | "shown" | undefined;
type Says = (type: string, path: string) => Said;

/** Where a value stands. */
interface Place {
  readonly attribute: Attribute | undefined;
  readonly path: string;
  /** What is known of the members of an object. Default: the sub-attributes. */
  readonly attributes?: ReadonlyMap<string, Attribute>;
  /** Between the path and the names of members. Default a dot. */
  readonly separator?: string;
  /** Whether it names a resource: the `value` or `$ref` of a reference. */
  readonly names?: boolean;
  /** What is said of that which holds it: it counts where nothing is said of the place itself. */
  readonly inherited?: Sensitivity | undefined;
}

function maskOf(says: (path: string) => Said): (place: Place, value: JsonValue) => JsonValue {
  const mask = (place: Place, value: JsonValue): JsonValue => {
    const { attribute, path, names = false, inherited } = place;
    const sensitivity = says(path) ?? inherited;
    if (sensitivity === "shown") return value;
    if (isJsonArray(value)) return value.map((each) => mask(place, each));
    if (isJsonObject(value)) return members({ ...place, inherited: sensitivity }, value);
    if (sensitivity === "none") return value;
    return sensitivity === undefined && (names || isPlain(attribute, value)) ? value : MASK;
  };
  const members = (
    { attribute, path, attributes, separator = ".", inherited }: Place,
    value: JsonObject,
  ): JsonObject => {
    const known = attributes ?? namedSubAttributes(attribute);
    const refers = attribute !== undefined && referencedTypes(attribute).length > 0;
    const entries = Object.entries(value).map(([name, each]): [string, JsonValue] => {
      const place = {
        attribute: known.get(name.toLowerCase()),
        path: path + separator + name,
        names: refers && (name === "value" || name === "$ref"),
        inherited,
      };
      return [name, mask(place, each)];
    });
    return Object.fromEntries(entries);
  };
  return mask;
}

/** Booleans, numbers, and texts out of a list. */
function isPlain(attribute: Attribute | undefined, value: JsonValue): boolean {
  if (typeof value !== "string") return true;
  return attribute?.canonicalValues.includes(value) ?? false;
}

function namedAttributes(definitions: readonly AttributeDefinition[]): ReadonlyMap<string, Attribute> {
  return new Map(definitions.map((each) => [each.name.toLowerCase(), resolveAttribute(each)]));
}

function namedSubAttributes(attribute: Attribute | undefined): ReadonlyMap<string, Attribute> {
  return new Map(attribute?.subAttributes.map((sub) => [sub.name.toLowerCase(), sub]));
}

/**
 * Whether something holds the mask, be it in a text or in a filter: written back, it would destroy what it stands for, or
 * be a value of its own.
 */
export function holdsMask(value: JsonValue): boolean {
  if (typeof value === "string") return value.includes(MASK);
  if (isJsonArray(value)) return value.some(holdsMask);
  return isJsonObject(value) && Object.values(value).some(holdsMask);
}
