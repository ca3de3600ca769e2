/**
 * The component schemas of a resource type: its representation, what a POST or PUT sends, and its pages.
 * @module
 */
import { DEFAULT_LIMITS, type AttributeNode, type ResourceModel } from "@scim/core";
import { LIST_RESPONSE_URN } from "@scim/schemas";
import {
  attributeSchema,
  isPart,
  isRequired,
  membersSchema,
  type SchemaOptions,
  type SchemaUse,
} from "./attribute-schema.ts";
import { refer, type Schema } from "./document-types.ts";

/** The names of the components of a resource type. Names of types hold no dot, so none of these meets another. */
export function componentNames(type: string): {
  readonly answer: string;
  readonly input: string;
  readonly page: string;
} {
  return { answer: type, input: `${type}.Input`, page: `${type}.List` };
}

/** The component schemas of a resource type, by name. */
export function resourceSchemas(
  model: ResourceModel,
  options: Pick<SchemaOptions, "limits" | "canonicalValuesOnly">,
): Readonly<Record<string, Schema>> {
  const names = componentNames(model.name);
  return {
    [names.answer]: representationSchema(model),
    [names.input]: resourceSchema(model, { ...options, use: "input", references: referencesOf(model) }),
    [names.page]: pageSchema(refer("schemas", names.answer), `A page of ${model.name} resources.`),
  };
}

/** The schema of representations of a resource type. */
export function representationSchema(model: ResourceModel): Schema {
  return resourceSchema(model, {
    use: "answer",
    limits: DEFAULT_LIMITS,
    references: referencesOf(model),
    canonicalValuesOnly: false,
  });
}

function referencesOf({ collections, rows }: ResourceModel): ReadonlySet<AttributeNode> {
  return new Set([
    ...collections.map(({ node }) => node),
    ...(rows === null ? [] : [rows.owner, rows.value]),
  ]);
}

/** A page of a query (RFC 7644 §3.4.2, RFC 9865 §2). */
export function pageSchema(items: Schema, description: string): Schema {
  return {
    type: "object",
    description,
    properties: {
      schemas: { type: "array", items: { const: LIST_RESPONSE_URN } },
      totalResults: {
        type: "integer",
        minimum: 0,
        description: "How many resources match, over all pages. It may be missing on a page by cursor.",
      },
      startIndex: { type: "integer", minimum: 1, description: "1-based; missing on a page by cursor." },
      itemsPerPage: { type: "integer", minimum: 0 },
      nextCursor: { type: "string", description: "Where to go on; missing on the last page." },
      previousCursor: { type: "string", description: "The page before; missing on the first page." },
      Resources: { type: "array", items },
    },
    required: ["schemas", "itemsPerPage", "Resources"],
  };
}

function resourceSchema(model: ResourceModel, options: SchemaOptions): Schema {
  const { use } = options;
  const common = new Set(["schemas", "meta", ...[...model.extensions.values()].map(({ urn }) => urn)]);
  const own = [...model.members.values()].filter(
    (node) => !common.has(node.attribute.name) && isPart(node, use),
  );
  const extensions = [...model.extensions.values()];
  const bound = extensions
    .filter(
      ({ required, node }) => required && [...node.subAttributes.values()].some((each) => isPart(each, use)),
    )
    .map(({ urn }) => urn);
  return {
    type: "object",
    ...(model.definition.description === undefined ? {} : { description: model.definition.description }),
    properties: {
      schemas: schemasSchema(model, use),
      ...Object.fromEntries(own.map((node) => [node.attribute.name, attributeSchema(node, options)])),
      ...Object.fromEntries(
        extensions.map(({ urn, node }) => [urn, membersSchema(node.subAttributes.values(), options)]),
      ),
      ...(use === "answer" ? { meta: refer("schemas", "Scim.Meta") } : {}),
    },
    required:
      use === "answer"
        ? ["schemas", "id", "meta"]
        : [
            "schemas",
            ...own.filter((node) => isRequired(node, options)).map(({ attribute }) => attribute.name),
            ...bound,
          ],
  };
}

/** A representation names the schemas of what it holds, an input at least the base schema. */
function schemasSchema(model: ResourceModel, use: SchemaUse): Schema {
  const urns = [model.schema, ...[...model.extensions.values()].map(({ urn }) => urn)];
  return {
    type: "array",
    description: "URNs of the schemas that shape the resource.",
    items: { enum: urns },
    contains: { const: model.schema },
    ...(use === "input" ? { examples: [[model.schema]] } : {}),
  };
}
