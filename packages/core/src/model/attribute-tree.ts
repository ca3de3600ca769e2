/**
 * The attributes of a resource type as a tree of nodes, made of the schema documents that it names.
 * @module
 */
import {
  COMMON_ATTRIBUTES,
  isReferenceCollection,
  referencedTypes,
  resolveAttribute,
  type Attribute,
  type AttributeAnnotation,
  type ResourceTypeDefinition,
  type SchemaDefinition,
  type SchemaRegistry,
} from "@scim/schemas";
import type { AttributeNode, AttributeStorage, InverseSource } from "./attribute-node.ts";

/** A schema extension of a resource type. */
export interface ExtensionModel {
  /** URN in the schema's spelling. */
  readonly urn: string;
  readonly required: boolean;
  /** The extension as a complex attribute named by its URN. */
  readonly node: AttributeNode;
}

/** The attributes of a resource type. */
export interface AttributeTree {
  /** URN of the base schema in its own spelling. */
  readonly schema: string;
  /** Common and base attributes, and each extension under its URN, by lower-case name. */
  readonly members: ReadonlyMap<string, AttributeNode>;
  /** Extensions by lower-case URN. */
  readonly extensions: ReadonlyMap<string, ExtensionModel>;
  /** What the inverse collections are computed from, by name. */
  readonly inverseSources: ReadonlyMap<string, readonly InverseSource[]>;
}

/**
 * Builds the tree of a resource type.
 * @throws TypeError where the registry lacks a schema that the type names
 */
export function buildAttributeTree(
  definition: ResourceTypeDefinition,
  registry: SchemaRegistry,
): AttributeTree {
  const annotations = new Map(
    Object.entries(definition.annotations ?? {}).map(([path, annotation]) => [
      path.toLowerCase(),
      annotation,
    ]),
  );
  const inverseSources = new Map<string, readonly InverseSource[]>();
  const members = new Map<string, AttributeNode>();
  const place = (extension: string | null): NodePlace => ({
    extension,
    parent: null,
    prefix: extension === null ? "" : `${extension}:`,
    keys: extension === null ? [] : [extension],
    storage: "value",
    annotations,
  });
  const addTop = (attribute: Attribute, extension: string | null, into: Map<string, AttributeNode>): void => {
    const sources = extension === null ? sourcesOf(attribute, definition, registry) : [];
    if (sources.length > 0) inverseSources.set(attribute.name, sources);
    // What an extension names so is another attribute than that of the resource.
    const isColumn = extension === null && COLUMN_ATTRIBUTES.has(attribute.name);
    const storage = isColumn ? "column" : topStorage(attribute, sources.length > 0);
    into.set(attribute.name.toLowerCase(), buildNode(attribute, { ...place(extension), storage }));
  };
  for (const attribute of COMMON) addTop(attribute, null, members);
  const base = requireSchema(registry, definition.schema);
  for (const attribute of base.attributes) addTop(resolveAttribute(attribute), null, members);

  const extensions = new Map<string, ExtensionModel>();
  for (const binding of definition.schemaExtensions ?? []) {
    const schema = requireSchema(registry, binding.schema);
    const attributes = new Map<string, AttributeNode>();
    const resolved = schema.attributes.map(resolveAttribute);
    for (const attribute of resolved) addTop(attribute, schema.id, attributes);
    const node = extensionNode(schema.id, attributes, resolved);
    extensions.set(schema.id.toLowerCase(), { urn: schema.id, required: binding.required, node });
    members.set(schema.id.toLowerCase(), node);
  }
  return { schema: base.id, members, extensions, inverseSources };
}

/** What every resource has, resolved once for all types. */
const COMMON = COMMON_ATTRIBUTES.map(resolveAttribute);

/** Attributes that the store keeps in columns or that are computed; they are never part of the body. */
const COLUMN_ATTRIBUTES: ReadonlySet<string> = new Set(["id", "meta", "schemas"]);

interface NodePlace {
  readonly extension: string | null;
  readonly parent: AttributeNode | null;
  readonly prefix: string;
  readonly keys: readonly string[];
  readonly storage: AttributeStorage;
  readonly annotations: ReadonlyMap<string, AttributeAnnotation>;
}

function requireSchema(registry: SchemaRegistry, urn: string): SchemaDefinition {
  const schema = registry.schema(urn);
  if (schema === undefined) throw new TypeError(`The registry has no schema ${urn}`);
  return schema;
}

function topStorage(attribute: Attribute, inverse: boolean): AttributeStorage {
  if (inverse) return "inverse";
  return isReferenceCollection(attribute) ? "collection" : "value";
}

/** The collections of other types that may name resources of this type, for a readOnly reference attribute. */
function sourcesOf(
  attribute: Attribute,
  definition: ResourceTypeDefinition,
  registry: SchemaRegistry,
): readonly InverseSource[] {
  if (!attribute.multiValued || attribute.mutability !== "readOnly") return [];
  const owners = new Set(referencedTypes(attribute));
  return registry
    .resourceTypes()
    .filter((type) => owners.has(type.name))
    .flatMap((type) => {
      const schema = requireSchema(registry, type.schema);
      const hasDisplayName = schema.attributes.some((candidate) => candidate.name === "displayName");
      return schema.attributes
        .map(resolveAttribute)
        .filter(
          (candidate) =>
            isReferenceCollection(candidate) && referencedTypes(candidate).includes(definition.name),
        )
        .map((candidate) => ({
          type: type.name,
          collection: candidate.name,
          displayKey: hasDisplayName ? "displayName" : null,
        }));
    });
}

function buildNode(attribute: Attribute, place: NodePlace): AttributeNode {
  const path = `${place.prefix}${attribute.name}`;
  const annotation = place.annotations.get(path.toLowerCase()) ?? {};
  const subAttributes = new Map<string, AttributeNode>();
  const node: AttributeNode = {
    attribute,
    extension: place.extension,
    path,
    keys: [...place.keys, attribute.name],
    parent: place.parent,
    subAttributes,
    storage: place.storage,
    indexed: isKept(attribute, place) && (attribute.uniqueness !== "none" || annotation.indexed === true),
    annotation,
  };
  for (const sub of attribute.subAttributes) {
    subAttributes.set(
      sub.name.toLowerCase(),
      buildNode(sub, { ...place, parent: node, prefix: `${path}.`, keys: node.keys }),
    );
  }
  return node;
}

/** Whether values are part of the body. The address of what a reference names is made anew where it is read. */
function isKept({ name }: Attribute, { storage, parent }: NodePlace): boolean {
  if (storage !== "value") return false;
  return name !== "$ref" || parent === null || referencedTypes(parent.attribute).length === 0;
}

function extensionNode(
  urn: string,
  attributes: ReadonlyMap<string, AttributeNode>,
  subAttributes: readonly Attribute[],
): AttributeNode {
  const attribute: Attribute = {
    ...resolveAttribute({ name: urn, type: "complex", subAttributes: [] }),
    subAttributes,
  };
  return {
    attribute,
    extension: urn,
    path: urn,
    keys: [urn],
    parent: null,
    subAttributes: attributes,
    storage: "value",
    indexed: false,
    annotation: {},
  };
}
