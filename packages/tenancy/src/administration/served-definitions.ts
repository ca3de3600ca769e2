/**
 * Compares what the service has for a tenant with what its stored resources were made by, before it serves them.
 * @module
 */
import {
  type BrokenType,
  brokenTypes,
  type DefinitionList,
  definitionsOf,
  rememberedDefinitions,
  type SchemaRegistry,
} from "@scim/schemas";
import { fittingRegistry } from "../documents/own-registry.ts";
import type { ServedDefinitions } from "../documents/served-definitions.ts";
import type { DocumentStore } from "../documents/tenant-document.ts";
import { CHANGE_ATTEMPTS, changedMeanwhile, TenancyError } from "./tenancy-error.ts";

/** What definitions are settled with. */
export interface ServedPorts {
  readonly documents: Pick<DocumentStore, "list" | "served" | "filled" | "recordServed">;
  /** What every tenant has. */
  readonly builtIn: SchemaRegistry;
  /** What the service has for the tenant: the built-in ones, and documents of its settings. */
  readonly base: SchemaRegistry;
}

/**
 * Sees to it that a service may serve what is stored, and records by which definitions it does. What only clients would
 * miss is told and not refused, so that a service goes back to documents of before: what they lack stays stored.
 * @returns the types of stored resources that the definitions break for clients, where that is new
 * @throws TenancyError `refused` where stored values would be read, compared or kept unique otherwise than they were
 *   written, with each reason; `changed`
 */
export async function settleServed(ports: ServedPorts, tenant: string): Promise<readonly BrokenType[]> {
  for (let attempt = 1; attempt <= CHANGE_ATTEMPTS; attempt += 1) {
    const { next, broken } = await compareServed(ports, tenant);
    if (next === null || (await ports.documents.recordServed(next))) return broken;
  }
  throw changedMeanwhile(`What tenant '${tenant}' is served by`, 0);
}

/**
 * For a command that works beside the service: as {@link settleServed}, but nothing is recorded, and what clients would
 * miss is refused too. Who has fewer documents than the service writes resources without what these name, or leaves them out.
 * @throws TenancyError `refused`
 */
export async function checkServed(ports: ServedPorts, tenant: string): Promise<void> {
  const [lost] = (await compareServed(ports, tenant)).broken;
  if (lost !== undefined) throw loses(tenant, lost);
}

interface Comparison {
  /** What is to be recorded; null where it is. */
  readonly next: ServedDefinitions | null;
  readonly broken: readonly BrokenType[];
}

async function compareServed(ports: ServedPorts, tenant: string): Promise<Comparison> {
  const { documents, builtIn, base } = ports;
  const before = await documents.served(tenant);
  const served = ownOf(base, builtIn);
  if (before === null) return { next: { tenant, served, remembered: served, revision: 1 }, broken: [] };
  if (isSame(before.served, served)) return { next: null, broken: [] };
  // What a tenant has of its own is guarded where it is changed: here it is the same on both sides.
  const after = fittingRegistry(base, await documents.list(tenant));
  const own = ownOf(after, base);
  const known = without(before.remembered, own);
  const was = definitionsOf(
    {
      schemas: [...known.schemas, ...own.schemas],
      resourceTypes: [...known.resourceTypes, ...own.resourceTypes],
    },
    builtIn,
  );
  const changed = brokenTypes(was, after);
  const types = changed.map(({ name }) => name);
  const filled = new Set(types.length === 0 ? [] : await documents.filled(tenant, types));
  const broken = changed.filter(({ name }) => filled.has(name));
  const misread = broken.find((type) => type.misread.length > 0);
  if (misread !== undefined) throw misreads(tenant, misread);
  const remembered = rememberedDefinitions(served, { before: known, after, types: filled });
  return { next: { tenant, served, remembered, revision: before.revision + 1 }, broken };
}

/** What a registry has other than another one, in the order of names. */
function ownOf(registry: SchemaRegistry, builtIn: SchemaRegistry): DefinitionList {
  const schemas = registry.schemas().filter((schema) => builtIn.schema(schema.id) !== schema);
  const types = registry.resourceTypes().filter((type) => builtIn.resourceType(type.name) !== type);
  return {
    schemas: schemas.toSorted((a, b) => (a.id.toLowerCase() < b.id.toLowerCase() ? -1 : 1)),
    resourceTypes: types.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function without(list: DefinitionList, other: DefinitionList): DefinitionList {
  const urns = new Set(other.schemas.map(({ id }) => id.toLowerCase()));
  const names = new Set(other.resourceTypes.map(({ name }) => name));
  return {
    schemas: list.schemas.filter(({ id }) => !urns.has(id.toLowerCase())),
    resourceTypes: list.resourceTypes.filter(({ name }) => !names.has(name)),
  };
}

function isSame(a: DefinitionList, b: DefinitionList): boolean {
  const text = ({ schemas, resourceTypes }: DefinitionList): string =>
    JSON.stringify([schemas, resourceTypes]);
  return text(a) === text(b);
}

function loses(tenant: string, { name, reasons }: BrokenType): TenancyError {
  return new TenancyError(
    "refused",
    `The documents differ from those that the service was last started with, and resources of type ${name} in tenant '${tenant}' would lose by it: ${reasons.join("; ")}.`,
  );
}

function misreads(tenant: string, { name, misread }: BrokenType): TenancyError {
  return new TenancyError(
    "refused",
    `Tenant '${tenant}' has resources of type ${name} (deleted ones that can be restored among them) that were stored by other definitions, and would be misread: ${misread.join("; ")}. ` +
      "Put the documents of before back; a definition that must change is one of another name, or one in an empty database, to which scim export and scim import bring the resources.",
  );
}
