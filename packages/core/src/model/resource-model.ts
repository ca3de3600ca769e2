/**
 * The attribute tree of a resource type, compiled from its schema documents: the one place
 * where characteristics turn into something that rules can ask.
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
  type SchemaRegistry,
} from "@scim/schemas";
import type { IdForm } from "../store/capabilities.ts";
import { buildRowSource, type RowSource } from "./row-source.ts";
import { isSecret } from "./secrets.ts";
import type {
  AttributeNode,
  AttributeStorage,
  InverseCollection,
  InverseSource,
  ReferenceCollection,
} from "./attribute-node.ts";

/** A schema extension of a resource type. */
export interface ExtensionModel {
  /** URN in the schema's spelling. */
  readonly urn: string;
  readonly required: boolean;
  /** The extension as a complex attribute named by its URN. */
  readonly node: AttributeNode;
}

/** Everything that the rules know about one resource type. */
export interface ResourceModel {
  readonly definition: ResourceTypeDefinition;
  readonly name: string;
  /** URN of the base schema in its own spelling. */
  readonly schema: string;
  /** Common and base attributes, and each extension under its URN, by lower-case name. */
  readonly members: ReadonlyMap<string, AttributeNode>;
  /** Extensions by lower-case URN. */
  readonly extensions: ReadonlyMap<string, ExtensionModel>;
  readonly collections: readonly ReferenceCollection[];
  readonly inverses: readonly InverseCollection[];
  /** Attributes with a uniqueness, then others with an index; all simple. */
  readonly indexed: readonly AttributeNode[];
  /** Singular complex attributes that refer to a resource (`manager`): they hold `value` and `$ref`. */
  readonly references: readonly AttributeNode[];
  /** Multi-valued attributes that clients write. */
  readonly lists: readonly AttributeNode[];
  /** Attributes with canonical values that stand in no list. */
  readonly canonical: readonly AttributeNode[];
  readonly secrets: readonly AttributeNode[];
  /** Attributes of the resource's own JSON that are kept and never returned. */
  readonly hidden: readonly AttributeNode[];
  /** Attributes returned on request, what holds them and what they hold. */
  readonly onRequest: ReadonlySet<AttributeNode>;
  /** Attributes with an annotated default. */
  readonly defaulted: readonly AttributeNode[];
  /** The form of ids of a resource type, by its name. */
  readonly idForm: IdFormOf;
  /** Endpoints of all resource types of the registry, by name: `User` → `/Users`. */
  readonly endpoints: ReadonlyMap<string, string>;
  /** The rows that the type shows; null where its resources are stored as such. */
  readonly rows: RowSource | null;
}

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

/** The form of the ids of a resource type, by its name. */
export type IdFormOf = (type: string) => IdForm;

/** Compiles the model of a resource type. The registry must know its schemas. */
export function buildResourceModel(
  definition: ResourceTypeDefinition,
  registry: SchemaRegistry,
  idForm: IdFormOf,
): ResourceModel {
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
    const storage = topStorage(attribute, sources.length > 0);
    into.set(attribute.name.toLowerCase(), buildNode(attribute, { ...place(extension), storage }));
  };
  for (const attribute of COMMON_ATTRIBUTES) addTop(resolveAttribute(attribute), null, members);
  const base = requireSchema(registry, definition.schema);
  for (const attribute of base.attributes) addTop(resolveAttribute(attribute), null, members);

  const extensions = new Map<string, ExtensionModel>();
  for (const binding of definition.schemaExtensions ?? []) {
    const schema = requireSchema(registry, binding.schema);
    const attributes = new Map<string, AttributeNode>();
    for (const attribute of schema.attributes) addTop(resolveAttribute(attribute), schema.id, attributes);
    const node = extensionNode(schema.id, attributes, schema.attributes.map(resolveAttribute));
    extensions.set(schema.id.toLowerCase(), { urn: schema.id, required: binding.required, node });
    members.set(schema.id.toLowerCase(), node);
  }
  const nodes = [...members.values()].flatMap(flatten);
  return {
    definition,
    name: definition.name,
    schema: base.id,
    members,
    extensions,
    collections: nodes
      .filter((node) => node.parent === null && node.storage === "collection")
      .map((node) => ({ node, types: referencedTypes(node.attribute) })),
    inverses: nodes
      .filter((node) => node.parent === null && node.storage === "inverse")
      .map((node) => ({ node, sources: inverseSources.get(node.attribute.name) ?? [] })),
    indexed: nodes.filter((node) => node.indexed),
    references: nodes.filter(
      (node) =>
        !node.attribute.multiValued && node.storage === "value" && referencedTypes(node.attribute).length > 0,
    ),
    lists: nodes.filter((node) => isTop(node) && node.attribute.multiValued && isWritten(node)),
    canonical: nodes.filter(
      (node) =>
        node.attribute.canonicalValues.length > 0 &&
        !(isTop(node) && node.attribute.multiValued) &&
        node.parent?.attribute.multiValued !== true &&
        isWritten(node),
    ),
    secrets: nodes.filter(isSecret),
    hidden: nodes.filter(
      (node) => node.attribute.returned === "never" && node.storage === "value" && !isSecret(node),
    ),
    onRequest: onRequestNodes(members),
    defaulted: nodes.filter((node) => node.annotation.default !== undefined),
    idForm,
    endpoints: new Map(registry.resourceTypes().map((type) => [type.name, type.endpoint])),
    rows: buildRowSource(definition, members, registry),
  };
}

function requireSchema(
  registry: SchemaRegistry,
  urn: string,
): NonNullable<ReturnType<SchemaRegistry["schema"]>> {
  const schema = registry.schema(urn);
  if (schema === undefined) throw new TypeError(`The registry has no schema ${urn}`);
  return schema;
}

function topStorage(attribute: Attribute, inverse: boolean): AttributeStorage {
  if (COLUMN_ATTRIBUTES.has(attribute.name)) return "column";
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

/** Whether an attribute stands in the resource or an extension, not in a complex attribute. */
function isTop(node: AttributeNode): boolean {
  return node.parent === null && node.extension !== node.path;
}

function isWritten(node: AttributeNode): boolean {
  return node.storage === "value" || node.storage === "collection";
}

function onRequestNodes(members: ReadonlyMap<string, AttributeNode>): ReadonlySet<AttributeNode> {
  const touchesRequest = (node: AttributeNode): boolean =>
    flatten(node).some((each) => each.attribute.returned === "request");
  return new Set([...members.values()].filter(touchesRequest).flatMap(flatten));
}

function flatten(node: AttributeNode): readonly AttributeNode[] {
  return [node, ...[...node.subAttributes.values()].flatMap(flatten)];
}
