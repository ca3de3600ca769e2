/**
 * Makes what is sent of what the program gives: without what is readOnly, and with `schemas`.
 * @module
 */
import {
  COMMON_ATTRIBUTES,
  isJsonArray,
  isJsonObject,
  type AttributeDefinition,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { UsageError } from "../errors/usage-error.ts";
import type { ClientResourceType } from "./resource-type.ts";

/** What is readOnly, and what is inside of complex values, by lower-case name. */
type Definitions = ReadonlyMap<string, { readonly readOnly: boolean; readonly subs: Definitions | null }>;

/** Makes bodies of one resource type. */
export type WriteBody = (input: object) => JsonObject;

/**
 * Makes the function for a resource type. An input may be a resource that the service answered with: what is readOnly
 * is left out, at every level and in extensions, so that a service that refuses it does not.
 */
export function bodyWriter(type: Pick<ClientResourceType, "schema" | "extensions">): WriteBody {
  const own = definitionsOf([...COMMON_ATTRIBUTES, ...type.schema.attributes]);
  const extensions = new Map(
    type.extensions.map((schema) => [
      schema.id.toLowerCase(),
      { schema, own: definitionsOf(schema.attributes) },
    ]),
  );
  return (input) => {
    requireAttributes(input);
    const members: [string, JsonValue][] = [];
    const present: string[] = [];
    for (const [name, value] of entriesOf(input)) {
      const extension = extensions.get(name.toLowerCase());
      if (extension === undefined) {
        const written = writable(own.get(name.toLowerCase()), value);
        if (written !== undefined && name.toLowerCase() !== "schemas") members.push([name, written]);
        // The URN of an extension that the type does not know: no name of an attribute has a colon (RFC 7643 §2.1).
        if (name.includes(":") && isJsonObject(value)) present.push(name);
      } else if (isJsonObject(value)) {
        present.push(extension.schema.id);
        members.push([name, writableMembers(extension.own, value)]);
      }
    }
    const schemas = schemasOf(input, [type.schema.id, ...present]);
    return Object.fromEntries([["schemas", schemas], ...members]);
  };
}

/**
 * Refuses what is no resource, as programs without types may give it: `null`, or nothing of a function that changes a
 * resource in place.
 * @throws {@link UsageError} `invalidInput`
 */
export function requireAttributes(input: unknown): void {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw new UsageError(
      "invalidInput",
      "A resource is an object of attributes, and a change of one gives it back.",
    );
}

function definitionsOf(attributes: readonly AttributeDefinition[]): Definitions {
  return new Map(
    attributes.map((attribute) => [
      attribute.name.toLowerCase(),
      {
        readOnly: attribute.mutability === "readOnly",
        subs: attribute.type === "complex" ? definitionsOf(attribute.subAttributes) : null,
      },
    ]),
  );
}

/** The members that hold something: `undefined` is no JSON. */
function entriesOf(value: object): readonly (readonly [string, JsonValue])[] {
  // What the types of inputs allow is JSON, or undefined.
  const entries = Object.entries(value) as readonly (readonly [string, JsonValue | undefined])[];
  return entries.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined);
}

/** A value without what is readOnly in it; undefined where all of it is. */
function writable(definition: ReturnType<Definitions["get"]>, value: JsonValue): JsonValue | undefined {
  if (definition === undefined) return value;
  const { readOnly, subs } = definition;
  if (readOnly) return undefined;
  if (subs === null) return value;
  const one = (each: JsonValue): JsonValue => (isJsonObject(each) ? writableMembers(subs, each) : each);
  return isJsonArray(value) ? value.map(one) : one(value);
}

function writableMembers(definitions: Definitions, value: JsonObject): JsonObject {
  const members: [string, JsonValue][] = [];
  for (const [name, each] of entriesOf(value)) {
    const written = writable(definitions.get(name.toLowerCase()), each);
    if (written !== undefined) members.push([name, written]);
  }
  return Object.fromEntries(members);
}

/** What the input names, and what it holds. */
function schemasOf(input: object, held: readonly string[]): readonly string[] {
  const named: unknown = Object.entries(input).find(([name]) => name.toLowerCase() === "schemas")?.[1];
  const texts = Array.isArray(named) ? named.filter((each) => typeof each === "string") : [];
  const known = new Set(texts.map((urn) => urn.toLowerCase()));
  const others = new Map(held.map((urn) => [urn.toLowerCase(), urn]));
  return [...texts, ...[...others].flatMap(([folded, urn]) => (known.has(folded) ? [] : [urn]))];
}
