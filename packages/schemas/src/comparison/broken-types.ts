/**
 * Tells which resource types a change of schemas and resource types would break.
 * @module
 */
import type { SchemaRegistry } from "../registry.ts";
import type { ResourceTypeDefinition } from "../resource-type.ts";
import { compareResourceTypes } from "./compare-resource-types.ts";
import { compareSchemas } from "./compare-schemas.ts";

/** A resource type that a change breaks. */
export interface BrokenType {
  readonly name: string;
  /** What breaks clients or stored values, each a path and what became of it. */
  readonly reasons: readonly string[];
}

/** What two registries are compared by. */
type Definitions = Pick<SchemaRegistry, "schema" | "resourceType" | "resourceTypes">;

/**
 * The resource types of a registry that are gone in another one, or break what is stored, by the rules of
 * {@link compareResourceTypes} and {@link compareSchemas}.
 *
 * @example
 * const draft = createSchemaRegistry(registry);
 * draft.addDocuments(documents, { allowBreaking: true });
 * for (const { name, reasons } of brokenTypes(registry, draft)) console.log(name, reasons);
 */
export function brokenTypes(before: Definitions, after: Definitions): readonly BrokenType[] {
  return before
    .resourceTypes()
    .map((type) => ({ name: type.name, reasons: reasonsOf(type, { before, after }) }))
    .filter(({ reasons }) => reasons.length > 0);
}

interface Change {
  readonly before: Definitions;
  readonly after: Definitions;
}

function reasonsOf(type: ResourceTypeDefinition, { before, after }: Change): readonly string[] {
  const next = after.resourceType(type.name);
  if (next === undefined) return ["it is gone"];
  const urns = [type.schema, ...(type.schemaExtensions ?? []).map(({ schema }) => schema)];
  const ofSchemas = urns.flatMap((urn) => {
    const [was, is] = [before.schema(urn), after.schema(urn)];
    if (was === undefined || was === is) return [];
    return is === undefined ? [`${urn} is gone`] : breakingIn(compareSchemas(was, is));
  });
  return [...(type === next ? [] : breakingIn(compareResourceTypes(type, next))), ...ofSchemas];
}

/** A difference of schemas or of resource types, as far as it is told. */
interface Difference {
  readonly path: string;
  readonly breaking: boolean;
  readonly message: string;
}

function breakingIn(differences: readonly Difference[]): readonly string[] {
  return differences
    .filter(({ breaking }) => breaking)
    .map(({ path, message }) => `${path} ${message}`.trim());
}
