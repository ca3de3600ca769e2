/**
 * Tells which resource types a change of schemas and resource types would break.
 * @module
 */
import type { SchemaRegistry } from "../registry.ts";
import type { ResourceTypeDefinition } from "../resource-type.ts";
import { compareResourceTypes } from "./compare-resource-types.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { ResourceTypeDifference, SchemaDifference } from "./difference.ts";

/** A resource type that a change breaks. */
export interface BrokenType {
  readonly name: string;
  /** What breaks clients or stored values, each a path and what became of it. */
  readonly reasons: readonly string[];
  /** Those of the reasons by which stored values would be read, compared or kept unique otherwise than they were written. */
  readonly misread: readonly string[];
}

/** What two registries are compared by. */
export type Definitions = Pick<SchemaRegistry, "schema" | "resourceType" | "resourceTypes">;

/** What decides in which form values are stored, and under which keys they are found. What else breaks, breaks clients. */
const KEPT_BY: ReadonlySet<Difference["kind"]> = new Set([
  "schema",
  "rowsOf",
  "name",
  "type",
  "multiValued",
  "caseExact",
  "uniqueness",
  "references",
]);

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
    .map((type) => ({ name: type.name, breaks: breaksOf(type, { before, after }) }))
    .filter(({ breaks }) => breaks.length > 0)
    .map(({ name, breaks }) => ({
      name,
      reasons: breaks.map(({ reason }) => reason),
      misread: breaks.filter(({ misreads }) => misreads).map(({ reason }) => reason),
    }));
}

interface Change {
  readonly before: Definitions;
  readonly after: Definitions;
}

/** Why a type breaks. */
interface Break {
  readonly reason: string;
  readonly misreads: boolean;
}

function breaksOf(type: ResourceTypeDefinition, { before, after }: Change): readonly Break[] {
  const next = after.resourceType(type.name);
  if (next === undefined) return [{ reason: "it is gone", misreads: false }];
  const urns = [type.schema, ...(type.schemaExtensions ?? []).map(({ schema }) => schema)];
  const ofSchemas = urns.flatMap((urn, index) => {
    const [was, is] = [before.schema(urn), after.schema(urn)];
    if (was === undefined || was === is) return [];
    if (is === undefined) return [{ reason: `${urn} is gone`, misreads: false }];
    return [...(index === 0 ? [] : respelled(was.id, is.id)), ...breaksIn(compareSchemas(was, is))];
  });
  return [...(type === next ? [] : breaksIn(compareResourceTypes(type, next))), ...ofSchemas];
}

/** Letter case tells no schemas apart, but the values of an extension are kept in a member of its name. */
function respelled(was: string, is: string): readonly Break[] {
  if (was === is) return [];
  const reason = `${was} is spelled "${is}": values are stored and answered under the old spelling`;
  return [{ reason, misreads: true }];
}

type Difference = SchemaDifference | ResourceTypeDifference;

function breaksIn(differences: readonly Difference[]): readonly Break[] {
  return differences
    .filter(({ breaking }) => breaking)
    .map(({ path, kind, message }) => ({
      reason: `${path} ${message}`.trim(),
      misreads: KEPT_BY.has(kind),
    }));
}
