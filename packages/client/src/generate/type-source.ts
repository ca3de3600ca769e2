/**
 * TypeScript source of the resource types of a service: what discovery tells, for the compiler.
 * @module
 */
import type { AttributeDefinition, SchemaDefinition } from "@scim/schemas";
import type { ClientResourceType } from "../resources/resource-type.ts";

/** Members of an attribute that its types depend on, with what is meant where they are left out (RFC 7643 §2.2). */
const KEPT = {
  name: null,
  type: null,
  multiValued: false,
  required: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
} as const;

/**
 * A module that defines resource types, their schemas, and a type for what is read and for what is sent. Names and URNs come
 * from the service: they stand in the text as string literals, or reduced to letters, digits and `_`.
 *
 * @example
 * const types = await client.discovery.resourceTypes();
 * await writeFile("scim-types.ts", typeSourceOf(types));
 */
export function typeSourceOf(types: readonly ClientResourceType[]): string {
  const names = new Names();
  const schemas = new Map<string, string>();
  const parts: string[] = [HEADER];
  for (const { name, schema, extensions, endpoint } of types) {
    for (const each of [schema, ...extensions]) {
      if (schemas.has(each.id)) continue;
      const constant = names.take(`${constantOf(each.name ?? lastPart(each.id))}_SCHEMA`);
      schemas.set(each.id, constant);
      parts.push(`export const ${constant} = defineSchema(${literal(schemaLiteral(each))});\n`);
    }
    const constant = names.take(constantOf(name));
    const type = names.take(typeNameOf(name));
    const bound = extensions.map(({ id }) => schemas.get(id) ?? "");
    const parameters = `typeof ${schemas.get(schema.id) ?? ""}, [${bound.map((each) => `typeof ${each}`).join(", ")}]`;
    parts.push(
      `export const ${constant} = defineResourceType({\n  name: ${literal(name)},\n  endpoint: ${literal(endpoint)},\n` +
        `  schema: ${schemas.get(schema.id) ?? ""},\n  extensions: [${bound.join(", ")}],\n});\n`,
      `export type ${type} = ResourceOf<${parameters}>;\n`,
      `export type ${names.take(`${type}Input`)} = InputOf<${parameters}>;\n`,
    );
  }
  return parts.join("\n");
}

const HEADER = `import { defineResourceType } from "@scim/client";
import { defineSchema, type InputOf, type ResourceOf } from "@scim/schemas";
`;

/** Names that were given, each once. */
class Names {
  readonly #taken = new Set(["defineResourceType", "defineSchema", "InputOf", "ResourceOf"]);

  take(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${wanted}_${count}`;
    this.#taken.add(name);
    return name;
  }
}

function schemaLiteral({ id, name, attributes }: SchemaDefinition): object {
  return { id, ...(name === undefined ? {} : { name }), attributes: attributes.map(attributeLiteral) };
}

function attributeLiteral(attribute: AttributeDefinition): object {
  const kept = Object.entries(KEPT).flatMap(([name, meant]) => {
    const value: unknown = Object.entries(attribute).find(([member]) => member === name)?.[1];
    return value === undefined || value === meant ? [] : [[name, value] as const];
  });
  const subs =
    attribute.type === "complex" ? { subAttributes: attribute.subAttributes.map(attributeLiteral) } : {};
  return { ...Object.fromEntries(kept), ...subs };
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function lastPart(urn: string): string {
  return urn.split(":").at(-1) ?? "";
}

/** `EnterpriseUser` as `ENTERPRISE_USER`. */
function constantOf(name: string): string {
  return wordsOf(name).join("_").toUpperCase();
}

/** `enterprise user` as `EnterpriseUser`. */
function typeNameOf(name: string): string {
  return wordsOf(name)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

function wordsOf(name: string): readonly string[] {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  const [first] = words;
  return first === undefined || /^\d/.test(first) ? ["type", ...words] : words;
}
