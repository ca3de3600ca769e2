/**
 * Definitions together with what they no longer say of resources that are still stored.
 * @module
 */
import type { AttributeDefinition } from "../attribute.ts";
import type { ResourceTypeDefinition } from "../resource-type.ts";
import type { SchemaDefinition } from "../schema.ts";
import type { Definitions } from "./broken-types.ts";

/** Schemas and resource types, each in the order of their names. */
export interface DefinitionList {
  readonly schemas: readonly SchemaDefinition[];
  readonly resourceTypes: readonly ResourceTypeDefinition[];
}

/**
 * Makes definitions of a list; letter case of URNs does not matter.
 * @param base what is looked up where the list has nothing of a name
 */
export function definitionsOf(list: DefinitionList, base: Definitions): Definitions {
  const schemas = new Map(list.schemas.map((schema) => [schema.id.toLowerCase(), schema]));
  const types = new Map(base.resourceTypes().map((type) => [type.name, type]));
  for (const type of list.resourceTypes) types.set(type.name, type);
  return {
    schema: (urn) => schemas.get(urn.toLowerCase()) ?? base.schema(urn),
    resourceType: (name) => types.get(name),
    resourceTypes: () => [...types.values()],
  };
}

/** What is remembered of former definitions. */
export interface Remembering {
  readonly before: DefinitionList;
  readonly after: Definitions;
  /** Names of the types of which there are resources. */
  readonly types: ReadonlySet<string>;
}

/**
 * Adds to definitions what they lack of former ones: resource types, extensions of theirs, attributes and sub-attributes.
 * What stored resources have of these stays stored, and is read again when the definitions come back; so it matters how
 * they come back. What both know is as the new ones say.
 * @param now what the new definitions have of their own
 */
export function rememberedDefinitions(
  now: DefinitionList,
  { before, after, types }: Remembering,
): DefinitionList {
  const schemas = new Map(now.schemas.map((schema) => [schema.id.toLowerCase(), schema]));
  const resourceTypes = new Map(now.resourceTypes.map((type) => [type.name, type]));
  const former = new Map(before.schemas.map((schema) => [schema.id.toLowerCase(), schema]));
  for (const was of before.resourceTypes.filter(({ name }) => types.has(name))) {
    const is = after.resourceType(was.name);
    const kept = is === undefined ? was : withFormerExtensions(is, was);
    if (kept !== is) resourceTypes.set(was.name, kept);
    for (const urn of [was.schema, ...(was.schemaExtensions ?? []).map(({ schema }) => schema)]) {
      const [old, next] = [former.get(urn.toLowerCase()), after.schema(urn)];
      if (old === undefined) continue;
      const whole = next === undefined ? old : withFormerAttributes(next, old);
      if (whole !== next) schemas.set(urn.toLowerCase(), whole);
    }
  }
  return { schemas: inOrder(schemas), resourceTypes: inOrder(resourceTypes) };
}

function inOrder<Definition>(named: ReadonlyMap<string, Definition>): readonly Definition[] {
  return [...named].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, definition]) => definition);
}

function withFormerExtensions(
  type: ResourceTypeDefinition,
  { schemaExtensions = [] }: ResourceTypeDefinition,
): ResourceTypeDefinition {
  const bound = type.schemaExtensions ?? [];
  const urns = new Set(bound.map(({ schema }) => schema.toLowerCase()));
  const former = schemaExtensions.filter(({ schema }) => !urns.has(schema.toLowerCase()));
  return former.length === 0 ? type : { ...type, schemaExtensions: [...bound, ...former] };
}

function withFormerAttributes(schema: SchemaDefinition, { attributes }: SchemaDefinition): SchemaDefinition {
  const all = merged(schema.attributes, attributes);
  return all === schema.attributes ? schema : { ...schema, attributes: all };
}

/** The same list where nothing is added. */
function merged<Definition extends AttributeDefinition>(
  now: readonly Definition[],
  before: readonly Definition[],
): readonly Definition[] {
  const former = new Map(before.map((attribute) => [attribute.name.toLowerCase(), attribute]));
  const names = new Set(now.map(({ name }) => name.toLowerCase()));
  const all = [
    ...now.map((attribute) => withFormerParts(attribute, former.get(attribute.name.toLowerCase()))),
    ...before.filter(({ name }) => !names.has(name.toLowerCase())),
  ];
  return all.length === now.length && all.every((attribute, at) => attribute === now[at]) ? now : all;
}

function withFormerParts<Definition extends AttributeDefinition>(
  now: Definition,
  before: AttributeDefinition | undefined,
): Definition {
  if (now.type !== "complex" || before?.type !== "complex") return now;
  const subAttributes = merged(now.subAttributes, before.subAttributes);
  return subAttributes === now.subAttributes ? now : { ...now, subAttributes };
}
