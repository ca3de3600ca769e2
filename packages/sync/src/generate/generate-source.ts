/**
 * TypeScript source of the schemas and resource types of a service, for `@scim/client`.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import type { SchemaDefinition } from "@scim/schemas";
import { docstring, literal, quoted, type Literal } from "./literal.ts";
import { Names } from "./names.ts";
import { shown, tidySchema, type Notice } from "./tidy-schema.ts";

/** What was generated. */
export interface GeneratedSource {
  /** The module. */
  readonly source: string;
  /** What was left out or read in another way, one sentence each. */
  readonly notices: readonly string[];
}

/** What the module imports: no name of it may be taken. */
const IMPORTED = ["defineResourceType", "defineSchema", "ShapeOf"];
const ENDPOINT = /^(?:\/[\w.~-]+)+$/;

/**
 * Writes TypeScript source: each schema in use as a constant of `defineSchema`, each resource type as one of
 * `defineResourceType`, and the types of its resources. The same types give the same text. Nothing that a service says
 * becomes code: names are made of letters and digits, all else stands in strings and comments.
 *
 * @example
 * const { source } = generateSource(await client.discovery.resourceTypes());
 * // const device = await client.resource(DEVICE).create({ serial: "4711" }); // typed
 */
export function generateSource(types: readonly ClientResourceType[]): GeneratedSource {
  const notices: string[] = [];
  const writer = new SourceWriter((sentence) => notices.push(sentence));
  for (const type of types) writer.add(type);
  return { source: writer.end(), notices };
}

class SourceWriter {
  readonly #names = new Names(IMPORTED);
  readonly #notice: Notice;
  /** Names of the constants of schemas by URN. */
  readonly #schemas = new Map<string, string>();
  readonly #parts: string[] = [];
  #hasTypes = false;

  constructor(notice: Notice) {
    this.#notice = notice;
  }

  add(type: ClientResourceType): void {
    if (!ENDPOINT.test(type.endpoint)) {
      this.#notice(
        `${shown(type.name)}: its endpoint ${shown(type.endpoint)} is no path, and it is left out`,
      );
      return;
    }
    this.#hasTypes = true;
    const schema = this.#schema(type.schema, { isBase: true, fallback: type.name });
    const extensions = type.extensions.map((extension) =>
      this.#schema(extension, { isBase: false, fallback: `${type.name.slice(0, 30)} extension` }),
    );
    const constant = this.#names.constant(type.name);
    const bound = extensions.length === 0 ? "" : `  extensions: [${extensions.join(", ")}],\n`;
    const shape =
      extensions.length === 0 ? "" : `, readonly [${extensions.map((name) => `typeof ${name}`).join(", ")}]`;
    const resource = this.#names.type(type.name);
    const input = this.#names.type(type.name, "Input");
    const { description } = type.schema;
    const what = typeof description === "string" ? `: ${description}` : ".";
    this.#parts.push(
      `${docstring(`The resource type ${type.name} at ${type.endpoint}.`)}export const ${constant} = defineResourceType({\n` +
        `  name: ${quoted(type.name)},\n  endpoint: ${quoted(type.endpoint)},\n  schema: ${schema},\n${bound}});`,
      `${docstring(`${type.name} as the service answers with it${what}`)}export type ${resource} = ShapeOf<typeof ${schema}${shape}>["Resource"];`,
      `${docstring(`${type.name} as it is sent: without what is readOnly.`)}export type ${input} = ShapeOf<typeof ${schema}${shape}>["Input"];`,
    );
  }

  /** The constant of a schema; written where it is new. */
  #schema(
    schema: SchemaDefinition,
    options: { readonly isBase: boolean; readonly fallback: string },
  ): string {
    const key = schema.id.toLowerCase();
    const known = this.#schemas.get(key);
    if (known !== undefined) return known;
    const tidy = tidySchema(schema, { isBase: options.isBase, notice: this.#notice });
    const name = this.#names.constant(tidy.name ?? options.fallback, "_SCHEMA");
    this.#schemas.set(key, name);
    // A tidy schema holds texts, truths, lists and records of these alone.
    const written = literal(tidy as unknown as Literal, 0, `export const ${name} = defineSchema(`.length);
    const what = docstring(tidy.description ?? `The schema ${tidy.id}.`);
    this.#parts.push(`${what}export const ${name} = defineSchema(${written});`);
    return name;
  }

  end(): string {
    const imports = this.#hasTypes
      ? `import { defineResourceType, type ShapeOf } from "@scim/client";\nimport { defineSchema } from "@scim/schemas";\n\n`
      : "";
    const body = this.#hasTypes ? this.#parts.join("\n\n") : "export {};";
    return `${HEAD}${imports}${body}\n`;
  }
}

const HEAD = `/**
 * Schemas and resource types of a SCIM service, made by \`scim generate\`: make it anew rather than change it.
 * @module
 */
`;
