/**
 * Everything that rules ask of a resource type, told from its attribute tree: the one place where characteristics turn into
 * lists of what has them.
 * @module
 */
import { referencedTypes, type ResourceTypeDefinition, type SchemaRegistry } from "@scim/schemas";
import type { IdForm } from "../store/capabilities.ts";
import type { AttributeNode, InverseCollection, ReferenceCollection } from "./attribute-node.ts";
import { buildAttributeTree, type ExtensionModel } from "./attribute-tree.ts";
import { buildRowSource, type RowSource } from "./row-source.ts";
import { isSecret } from "./secrets.ts";

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

/** The form of the ids of a resource type, by its name. */
export type IdFormOf = (type: string) => IdForm;

/** Compiles the model of a resource type. The registry must know its schemas. */
export function buildResourceModel(
  definition: ResourceTypeDefinition,
  registry: SchemaRegistry,
  idForm: IdFormOf,
): ResourceModel {
  const tree = buildAttributeTree(definition, registry);
  const { members } = tree;
  const nodes = flattened(members.values());
  return {
    definition,
    name: definition.name,
    schema: tree.schema,
    members,
    extensions: tree.extensions,
    collections: nodes
      .filter((node) => node.parent === null && node.storage === "collection")
      .map((node) => ({ node, types: referencedTypes(node.attribute) })),
    inverses: nodes
      .filter((node) => node.parent === null && node.storage === "inverse")
      .map((node) => ({ node, sources: tree.inverseSources.get(node.attribute.name) ?? [] })),
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
    endpoints: endpointsOf(registry),
    rows: buildRowSource(definition, members, registry),
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
  const nodes = new Set<AttributeNode>();
  for (const member of members.values()) {
    const within = flattened([member]);
    if (within.some((each) => each.attribute.returned === "request"))
      for (const node of within) nodes.add(node);
  }
  return nodes;
}

/** Attributes, each followed by what it holds. */
function flattened(nodes: Iterable<AttributeNode>, into: AttributeNode[] = []): AttributeNode[] {
  for (const node of nodes) {
    into.push(node);
    if (node.subAttributes.size > 0) flattened(node.subAttributes.values(), into);
  }
  return into;
}

interface KnownEndpoints {
  readonly revision: number;
  readonly endpoints: ReadonlyMap<string, string>;
}

const endpointsOfRegistries = new WeakMap<SchemaRegistry, KnownEndpoints>();

/** Made once for all models of a registry: with many types, one for each would be the most of what models take. */
function endpointsOf(registry: SchemaRegistry): ReadonlyMap<string, string> {
  const { revision } = registry;
  const known = endpointsOfRegistries.get(registry);
  if (known?.revision === revision) return known.endpoints;
  const endpoints = new Map(registry.resourceTypes().map((type) => [type.name, type.endpoint]));
  endpointsOfRegistries.set(registry, { revision, endpoints });
  return endpoints;
}
