/**
 * Makes a sound schema of what a service says at `/Schemas`: services in the field spell characteristics in their own
 * ways, and what is generated must compile whatever they say.
 * @module
 */
import {
  ATTRIBUTE_TYPES,
  isJsonArray,
  isJsonObject,
  MUTABILITIES,
  RETURNED,
  UNIQUENESSES,
  type AttributeDefinition,
  type AttributeType,
  type JsonObject,
  type JsonValue,
  type SchemaDefinition,
} from "@scim/schemas";

/** Told what was left out or read in another way, one sentence at a time. */
export type Notice = (sentence: string) => void;

const ATTRIBUTE_NAME = /^(?:\$ref|[A-Za-z][\w$-]{0,127})$/;
/** Common attributes (RFC 7643 §3.1), which every resource has anyway; some services list them in their schemas. */
const COMMON: ReadonlySet<string> = new Set(["schemas", "id", "externalid", "meta"]);
const MAX_DEPTH = 3;

/** How a schema is read. */
interface TidyOptions {
  /** Whether it is the base schema of a resource type, which does not define what every resource has. */
  readonly isBase: boolean;
  readonly notice: Notice;
}

/** A schema with what SCIM knows of, every default left out. */
export function tidySchema(schema: SchemaDefinition, { isBase, notice }: TidyOptions): SchemaDefinition {
  // What a service says is JSON, whatever its type was taken for.
  const { name, description, attributes } = schema as unknown as JsonObject;
  const { id: urn } = schema;
  const listed = isJsonArray(attributes) ? attributes : [];
  const own = isBase ? listed.filter((attribute) => !isCommon(attribute)) : listed;
  return {
    id: urn,
    ...member("name", textOf(name)),
    ...member("description", textOf(description)),
    attributes: attributesOf(own, { urn, prefix: "", depth: 1, notice }),
  };
}

function isCommon(attribute: JsonValue): boolean {
  return isJsonObject(attribute) && COMMON.has((textOf(attribute["name"]) ?? "").toLowerCase());
}

interface Place {
  readonly urn: string;
  /** Such as `name.`. */
  readonly prefix: string;
  readonly depth: number;
  readonly notice: Notice;
}

function attributesOf(list: readonly JsonValue[], place: Place): readonly AttributeDefinition[] {
  const seen = new Set<string>();
  return list.flatMap((entry) => {
    const given = isJsonObject(entry) ? entry["name"] : undefined;
    const name = typeof given === "string" ? given : "";
    const tell = (what: string): void =>
      place.notice(`${shown(place.urn)}: ${place.prefix}${shown(name)} ${what}`);
    if (!isJsonObject(entry) || !ATTRIBUTE_NAME.test(name)) {
      tell("is no name of an attribute (RFC 7643 §2.1), and is left out");
      return [];
    }
    if (seen.has(name.toLowerCase())) {
      tell("is there twice; the first one counts");
      return [];
    }
    seen.add(name.toLowerCase());
    return [attributeOf(entry, name, { ...place, tell })];
  });
}

interface AttributePlace extends Place {
  readonly tell: Notice;
}

function attributeOf(entry: JsonObject, name: string, place: AttributePlace): AttributeDefinition {
  const type = typeOf(entry, place);
  const plain = {
    ...member("multiValued", truth(entry["multiValued"])),
    ...member("description", textOf(entry["description"])),
    ...member("required", truth(entry["required"])),
    ...member("canonicalValues", textsOf(entry["canonicalValues"])),
    ...member("caseExact", truth(entry["caseExact"])),
    ...member("mutability", wordOf(entry["mutability"], MUTABILITIES, "readWrite")),
    ...member("returned", wordOf(entry["returned"], RETURNED, "default")),
    ...member("uniqueness", wordOf(entry["uniqueness"], UNIQUENESSES, "none")),
    ...member("referenceTypes", textsOf(entry["referenceTypes"])),
  };
  if (type !== "complex") return { name, type, ...plain };
  const { subAttributes: subs } = entry;
  const prefix = `${place.prefix}${name}.`;
  const inner = { ...place, prefix, depth: place.depth + 1 };
  return { name, type, ...plain, subAttributes: attributesOf(isJsonArray(subs) ? subs : [], inner) };
}

function typeOf({ type, subAttributes }: JsonObject, { depth, tell }: AttributePlace): AttributeType {
  const given = textOf(type) ?? "";
  const found = ATTRIBUTE_TYPES.find((known) => known.toLowerCase() === given.toLowerCase());
  if (found === undefined) {
    const taken = isJsonArray(subAttributes) && depth < MAX_DEPTH ? "complex" : "string";
    tell(`has the type ${shown(given)}, which SCIM does not know; taken for ${taken}`);
    return taken;
  }
  if (found !== "complex" || depth < MAX_DEPTH) return found;
  tell("is nested too deep (RFC 7643 §2.3.8); taken for string");
  return "string";
}

/** A member, or none where there is no value. */
function member<Name extends string, Value>(
  name: Name,
  value: Value | null,
): { readonly [Key in Name]?: Value } {
  // The one member is the one that the type names.
  return (value === null ? {} : { [name]: value }) as { readonly [Key in Name]?: Value };
}

/** Only what is true: false is the default. */
function truth(value: JsonValue | undefined): true | null {
  return value === true || null;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function textsOf(value: JsonValue | undefined): readonly string[] | null {
  const list = isJsonArray(value) ? value.filter((each) => typeof each === "string") : [];
  return list.length === 0 ? null : list;
}

/** A word of a characteristic; none where it is the default. */
function wordOf<Word extends string>(
  value: JsonValue | undefined,
  words: readonly Word[],
  fallback: Word,
): Word | null {
  const given = (textOf(value) ?? "").toLowerCase();
  const found = words.find((known) => known.toLowerCase() === given) ?? fallback;
  return found === fallback ? null : found;
}

/** A text of a service, as it may stand in a message. */
export function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80)).replaceAll(/[^\u0020-\u007E]/g, "?");
}
