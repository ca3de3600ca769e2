/**
 * Indexes of a tenant's attributes as administrators declare and drop them: on the database, or on a running server.
 * @module
 */
import { type ChangeOrigin, indexableAttribute, type ModelCatalog, type ResourceModel } from "@scim/core";
import { decisionOf } from "@scim/events";
import { type JsonObject, ScimError } from "@scim/schemas";
import type { DeclaredIndex, StoreIndexes } from "@scim/store/sqlite";
import { cell } from "../output.ts";
import { modelNamed } from "../schemas/named-model.ts";
import { allOf } from "../remote/admin-pages.ts";
import { type AdminClient, at } from "../remote/admin-requests.ts";

/** What is done to the indexes of a tenant; each is given as it is shown. */
export interface IndexAdministration {
  /** Those that are declared or always there, by type and path; of one resource type where it is named. */
  list(type: string | undefined): Promise<readonly JsonObject[]>;
  /** Declares one; `added` tells whether it was not there before. Servers build it while they serve. */
  add(type: string, path: string): Promise<JsonObject>;
  /** Begins to drop one. */
  drop(type: string, path: string): Promise<JsonObject>;
}

/** What indexes of a database are administered with. */
export interface IndexParts {
  readonly indexes: StoreIndexes;
  readonly tenant: string;
  /** The models of the tenant. */
  readonly catalog: ModelCatalog;
  readonly actor: ChangeOrigin;
}

/**
 * Indexes of the database.
 * @throws ScimError `invalidValue` for a type or an attribute that cannot have one, `conflict`, `notFound`
 */
export function indexesHere(parts: IndexParts): IndexAdministration {
  return {
    list: (type) => list(parts, modelsOf(parts.catalog, type)),
    add: (type, path) => add(parts, modelOf(parts.catalog, type), path),
    drop: (type, path) => drop(parts, modelOf(parts.catalog, type), path),
  };
}

/** Indexes of a tenant on a server. */
export function indexesAtServer(admin: AdminClient, tenant: string): IndexAdministration {
  const path = at`/tenants/${tenant}/indexes`;
  return {
    list: (type) => allOf(admin, { path, name: "indexes", query: { type } }),
    add: (type, attribute) =>
      admin.send({ method: "POST", path, body: { type, path: attribute }, answers: ["path"] }),
    drop: (type, attribute) =>
      admin.send({
        method: "DELETE",
        path: `${path}${at`/${type}/${attribute}`}`,
        answers: ["path"],
      }),
  };
}

/** The key of an index among those of a tenant. */
export function indexKey({ type, path }: JsonObject): string {
  return `${cell(type)} ${cell(path)}`;
}

function modelsOf(catalog: ModelCatalog, type: string | undefined): readonly ResourceModel[] {
  return type === undefined ? ownModels(catalog) : [modelOf(catalog, type)];
}

/** What is shown of other resources' rows has no index of its own. */
function ownModels(catalog: ModelCatalog): readonly ResourceModel[] {
  return catalog.models().filter(({ rows }) => rows === null);
}

function modelOf(catalog: ModelCatalog, type: string): ResourceModel {
  return modelNamed(ownModels(catalog), type);
}

async function list(
  { indexes, tenant }: IndexParts,
  models: readonly ResourceModel[],
): Promise<readonly JsonObject[]> {
  const names = new Set(models.map(({ name }) => name));
  const declared = (await indexes.list(tenant)).filter(({ type }) => names.has(type)).map(shown);
  const known = new Set(declared.map(indexKey));
  const fixed = models.flatMap(({ name: type, indexed }) =>
    indexes
      .of(tenant, type)
      .always.filter((path) => indexed.some((node) => node.path === path))
      .map((path) => ({ tenant, type, path, origin: "always", state: "ready" }))
      .filter((each) => !known.has(indexKey(each))),
  );
  return [...fixed, ...declared].toSorted((a, b) => (indexKey(a) < indexKey(b) ? -1 : 1));
}

function shown(index: DeclaredIndex): JsonObject {
  const { tenant, type, path, origin, state, since, built } = index;
  return { tenant, type, path, origin, state, since, built };
}

async function add(
  { indexes, tenant, actor }: IndexParts,
  model: ResourceModel,
  text: string,
): Promise<JsonObject> {
  const type = model.name;
  const { path } = indexableAttribute(model, text);
  const named = { tenant, type, path };
  if (indexes.of(tenant, type).always.includes(path)) return { ...named, state: "ready", added: false };
  const before = await indexes.declare(named, decisionOf({ actor, now: Date.now }));
  if (before === "dropping")
    throw new ScimError(
      "conflict",
      `The index of ${type} ${path} is being dropped; declare it again when it is gone from the list.`,
    );
  return { ...named, state: before ?? "declared", added: before === null };
}

/** What the documents want would be declared again by the next server. */
async function drop(
  { indexes, tenant, actor }: IndexParts,
  model: ResourceModel,
  text: string,
): Promise<JsonObject> {
  const type = model.name;
  const declared = (await indexes.list(tenant)).find(
    (index) => index.type === type && index.path.toLowerCase() === text.toLowerCase(),
  );
  const path = declared?.path ?? indexableAttribute(model, text).path;
  if (model.indexed.some((node) => node.path === path))
    throw new ScimError(
      "conflict",
      `The resource type ${type} demands the index of ${path}: it is unique, or annotated 'indexed' in its document.`,
    );
  const named = { tenant, type, path };
  if (declared === undefined || !(await indexes.drop(named, decisionOf({ actor, now: Date.now }))))
    throw new ScimError("notFound", `${type} ${path} has no index.`);
  return { ...named, state: "dropping" };
}
