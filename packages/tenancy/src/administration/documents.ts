/**
 * Schema and ResourceType documents of a tenant added, changed and removed.
 * @module
 */
import { nextRevision } from "@scim/core";
import {
  type BrokenType,
  brokenTypes,
  createSchemaRegistry,
  type DocumentNotice,
  identifyDocument,
  type JsonObject,
  SchemaDocumentError,
  type SchemaRegistry,
} from "@scim/schemas";
import { type Acting, actOf, type AdminAct, type ToldState } from "../acts/admin-act.ts";
import { fittingRegistry, formerDefinitions } from "../documents/own-registry.ts";
import type { DocumentStore, TenantDocument } from "../documents/tenant-document.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { refuseTooLarge, refuseTooLong, refuseTooMuch } from "./document-bounds.ts";
import type { TenancyPorts } from "./ports.ts";
import { CHANGE_ATTEMPTS, changedMeanwhile, TenancyError } from "./tenancy-error.ts";
import { requireTenant } from "./tenants.ts";

/** Ports that documents need. */
export interface DocumentPorts extends Pick<TenancyPorts, "tenants">, Acting {
  readonly documents: DocumentStore;
  /** What the service has for a tenant without documents of its own. */
  readonly base: (tenant: string) => SchemaRegistry;
}

/** The documents of a tenant, and the revision that is meant; null for whichever they have. */
export interface DocumentsTarget {
  readonly tenant: string;
  readonly expected: number | null;
}

/** What a tenant's documents are. */
export interface OwnDocuments {
  readonly documents: readonly TenantDocument[];
  /** Grows with each change of them; 0 where there never were any. */
  readonly revision: number;
}

/** What became of documents that were put. */
export interface PutDocuments extends OwnDocuments {
  /** What they would better say, though they are accepted. */
  readonly notices: readonly DocumentNotice[];
}

/** A document to put, and where it comes from, for messages. */
export interface GivenDocument {
  readonly source: string;
  readonly document: unknown;
}

/**
 * The documents of a tenant.
 * @throws TenancyError `notFound`, `refused` where the tenant was deleted
 */
export async function readDocuments(ports: DocumentPorts, tenant: string): Promise<OwnDocuments> {
  const row = await requireTenant(ports, tenant);
  return { documents: await ports.documents.list(tenant), revision: row.documents };
}

/**
 * Adds documents to a tenant's, or puts them in the place of those of their names: all or none. They are checked together
 * with those that stay, and with the resources that are stored. Processes go on by the former documents for a moment: a
 * resource that they would still make of a type that breaks is refused where it is stored.
 * @throws TenancyError `invalid` naming each fault; `refused` where stored resources would not fit any more; `notFound`,
 *   `changed`
 */
export async function putDocuments(
  ports: DocumentPorts,
  target: DocumentsTarget,
  given: readonly GivenDocument[],
): Promise<PutDocuments> {
  const changed = ports.now();
  const put = given.map((each) => readDocument(each, changed));
  const sources = new Map(put.map(({ name }, at) => [name, given[at]?.source ?? name]));
  if (sources.size < put.length) throw new TenancyError("invalid", "Two of the documents have one name.");
  return changeDocuments(ports, target, (before) => ({
    put,
    remove: [],
    after: [...before.filter(({ name }) => !sources.has(name)), ...put],
    sources,
  }));
}

/**
 * Removes a document of a tenant. Where it took the place of one of the service, that is back.
 * @param name URN of the schema, or name of the resource type
 * @throws TenancyError `notFound`; `invalid` where another document needs it; `refused` where there are resources that
 *   would not fit any more; `changed`
 */
export async function removeDocument(
  ports: DocumentPorts,
  target: DocumentsTarget,
  name: string,
): Promise<PutDocuments> {
  return changeDocuments(ports, target, (before) => {
    const leaving = requireDocument(before, target.tenant, name);
    const after = before.filter((each) => each !== leaving);
    return { put: [], remove: [leaving.name], after, sources: new Map() };
  });
}

/** The document of a name; letter case of URNs does not matter. Null where there is none. */
export function findDocument(documents: readonly TenantDocument[], name: string): TenantDocument | null {
  const urn = name.toLowerCase();
  return documents.find((each) => (each.kind === "Schema" ? each.name === urn : each.name === name)) ?? null;
}

/**
 * The document of a name that a tenant has of its own.
 * @throws TenancyError `notFound`
 */
export function requireDocument(
  documents: readonly TenantDocument[],
  tenant: string,
  name: string,
): TenantDocument {
  const found = findDocument(documents, name);
  if (found !== null) return found;
  throw new TenancyError("notFound", `Tenant '${tenant}' has no document '${name}' of its own.`);
}

/** What changes of the documents that a tenant has. */
interface Change {
  readonly put: readonly TenantDocument[];
  readonly remove: readonly string[];
  readonly after: readonly TenantDocument[];
  /** Where the documents that are put come from, by name. */
  readonly sources: ReadonlyMap<string, string>;
}

async function changeDocuments(
  ports: DocumentPorts,
  { tenant, expected }: DocumentsTarget,
  change: (before: readonly TenantDocument[]) => Change,
): Promise<PutDocuments> {
  for (let attempt = 1; ; attempt += 1) {
    const row = await requireTenant(ports, tenant);
    const isExpected = expected === null || expected === row.documents;
    if (!isExpected || attempt > CHANGE_ATTEMPTS)
      throw changedMeanwhile(`What tenant '${tenant}' has of documents`, row.documents);
    const before = await ports.documents.list(tenant);
    const { put, remove, after, sources } = change(before);
    refuseTooMuch(before, after);
    const base = ports.base(tenant);
    const is = createSchemaRegistry(base);
    const notices = addTo(is, after, sources);
    refuseTooLarge(fittingRegistry(base, before), is);
    const broken = brokenTypes(formerDefinitions(base, before), is);
    const next: Tenant = {
      ...row,
      revision: nextRevision(row.revision, ports.random()),
      documents: nextRevision(row.documents, ports.random()),
    };
    const acts = actsOf(ports, [row, next], { before, put, remove });
    const types = broken.map(({ name }) => name);
    const written = { tenant: next, before: row.revision, put, remove, broken: types, acts };
    const outcome = await ports.documents.change(written);
    if (outcome.kind === "changed") continue;
    if (outcome.kind === "filled") throw filled(tenant, broken, outcome.type);
    return { documents: await ports.documents.list(tenant), revision: next.documents, notices };
  }
}

/**
 * Adds all documents to the registry. Answers the notices of those that have a source.
 * @throws TenancyError `invalid` naming document and path of each fault
 */
function addTo(
  registry: SchemaRegistry,
  documents: readonly TenantDocument[],
  sources: ReadonlyMap<string, string>,
): readonly DocumentNotice[] {
  const sourced = documents.map(({ name, document }) => ({ source: sources.get(name) ?? name, document }));
  try {
    const { notices } = registry.addDocuments(sourced, { allowBreaking: true });
    const told = new Set(sources.values());
    return notices.filter(({ source }) => told.has(source));
  } catch (cause) {
    if (!(cause instanceof SchemaDocumentError)) throw cause;
    throw new TenancyError("invalid", cause.message);
  }
}

/** @throws TenancyError `invalid` */
function readDocument({ source, document }: GivenDocument, changed: string): TenantDocument {
  const identity = identifyDocument(document);
  if (identity === null)
    throw new TenancyError(
      "invalid",
      `${source} is neither a Schema with an id nor a ResourceType with a name.`,
    );
  refuseTooLong(source, document);
  const { kind } = identity;
  const name = kind === "Schema" ? identity.name.toLowerCase() : identity.name;
  // What can be identified is an object of JSON.
  return { kind, name, document: document as JsonObject, changed };
}

interface Acted extends Pick<Change, "put" | "remove"> {
  readonly before: readonly TenantDocument[];
}

/** What is told: each document with what it was and is. */
function actsOf(
  acting: Acting,
  [{ documents: revisionBefore }, { tenant, documents: revision }]: readonly [before: Tenant, after: Tenant],
  { before, put, remove }: Acted,
): readonly AdminAct[] {
  const stateOf = (document: TenantDocument | undefined): ToldState | null =>
    document === undefined ? null : { tenant, document: document.document };
  const was = (name: string): TenantDocument | undefined => before.find((each) => each.name === name);
  const changes = [
    ...put.map((each) => ({ of: each, after: stateOf(each) })),
    ...remove.flatMap((name) => was(name) ?? []).map((each) => ({ of: each, after: null })),
  ];
  return changes.map(({ of: { kind, name }, after }) => {
    const states = { before: stateOf(was(name)), after, revision, revisionBefore };
    return actOf(acting, { type: kind, id: `${tenant}/${name}`, ...states });
  });
}

function filled(tenant: string, broken: readonly BrokenType[], type: string): TenancyError {
  const reasons = broken.find(({ name }) => name === type)?.reasons ?? [];
  return new TenancyError(
    "refused",
    `Tenant '${tenant}' has resources of type ${type} (deleted ones that can be restored among them), which this would break: ${reasons.join("; ")}.`,
  );
}
