/**
 * Applies a plan in memory: everything is checked before anything changes.
 * @module
 */
import type {
  CollectionDelta,
  CreatePlan,
  DeletePlan,
  RestorePlan,
  UniqueEntry,
  UpdatePlan,
  WritePlan,
  WriteResult,
} from "../store/write-plan.ts";
import type { StagedWrite } from "../store/reference-stage.ts";
import type { MemoryStages } from "./memory-stage.ts";
import type { MemoryResource, MemoryTenant, PlacedReference } from "./memory-tenant.ts";

const NONCE = /^[A-Za-z0-9_-]{1,64}$/;

/** On whose behalf a plan is applied, and where the values are that it takes over. */
export interface MemoryWriting {
  readonly connection: string;
  readonly stages: MemoryStages;
}

/** Applies a plan. */
export function applyPlan(
  tenant: MemoryTenant,
  { connection, stages }: MemoryWriting,
  plan: WritePlan,
): WriteResult {
  const refusal = refusalOf(tenant, plan);
  if (refusal !== null) return refusal;
  const before = tenant.find(plan.type, plan.id);
  const version = versionOf((before?.revision ?? 0) + 1, plan);
  tenant.events.tell(plan, { body: before?.body ?? null, connection, version });
  const resource = resourceAfter(tenant, connection, plan);
  if (plan.kind === "create" || plan.kind === "update") takeOver(resource, plan.staged, stages);
  resource.revision += 1;
  resource.version = version;
  resource.lastModified = plan.at;
  return { kind: "written", version };
}

function resourceAfter(tenant: MemoryTenant, connection: string, plan: WritePlan): MemoryResource {
  switch (plan.kind) {
    case "create":
      return added(tenant, connection, plan);
    case "restore":
      return restored(tenant, plan);
    case "update":
    case "delete":
      return changed(tenant, plan);
  }
}

/** What applying a plan would answer. */
export function previewPlan(tenant: MemoryTenant, plan: WritePlan): WriteResult {
  const revision = tenant.find(plan.type, plan.id)?.revision ?? 0;
  return refusalOf(tenant, plan) ?? { kind: "written", version: versionOf(revision + 1, plan) };
}

/** Why a plan cannot be applied; null where it can. */
function refusalOf(tenant: MemoryTenant, plan: WritePlan): WriteResult | null {
  if (!NONCE.test(plan.nonce)) throw new TypeError("A nonce is 1 to 64 characters of A-Z, a-z, 0-9, _ and -");
  if (plan.kind === "create") {
    if (tenant.find(plan.type, plan.id) !== undefined) return { kind: "exists" };
    if (plan.keepsId === true && tenant.hasId(plan.id)) return { kind: "exists" };
    return duplicateOf(tenant, undefined, taken(tenant, plan));
  }
  if (plan.kind === "restore") return refusedRestoration(tenant, plan);
  const resource = tenant.live(plan.type, plan.id);
  if (resource === undefined) return { kind: "conflict", current: null };
  if (resource.version !== plan.expectedVersion) return { kind: "conflict", current: resource.version };
  return plan.kind === "update" ? duplicateOf(tenant, resource, taken(tenant, plan)) : null;
}

function refusedRestoration(tenant: MemoryTenant, plan: RestorePlan): WriteResult | null {
  const tombstone = tenant.find(plan.type, plan.id);
  if (tombstone?.deleted === plan.deleted && tombstone.version === plan.expectedVersion)
    return duplicateOf(tenant, tombstone, taken(tenant, plan));
  return { kind: "conflict", current: tenant.live(plan.type, plan.id)?.version ?? null };
}

function duplicateOf(
  tenant: MemoryTenant,
  resource: MemoryResource | undefined,
  entries: readonly UniqueEntry[],
): WriteResult | null {
  const held = entries.find((entry) => {
    const holder = tenant.holder(entry);
    return holder !== undefined && holder !== resource;
  });
  return held === undefined ? null : { kind: "duplicate", entry: held };
}

/** The unique values that a plan takes. */
function taken(
  tenant: MemoryTenant,
  { unique, whereHeld = [] }: CreatePlan | UpdatePlan | RestorePlan,
): readonly UniqueEntry[] {
  const add = "add" in unique ? unique.add : unique;
  return [...add, ...whereHeld.filter((entry) => tenant.ruleState(entry) !== null)];
}

function added(tenant: MemoryTenant, connection: string, plan: CreatePlan): MemoryResource {
  const resource: MemoryResource = {
    type: plan.type,
    id: plan.id,
    connection,
    created: plan.created ?? plan.at,
    revision: 0,
    version: "",
    lastModified: plan.at,
    deleted: null,
    body: plan.body,
    collections: new Map(),
    secrets: new Map(),
  };
  tenant.add(resource);
  for (const entry of taken(tenant, plan)) tenant.hold(entry, resource);
  for (const delta of plan.collections) applyDelta(resource, delta);
  keepSecrets(resource, plan);
  return resource;
}

function changed(tenant: MemoryTenant, plan: UpdatePlan | DeletePlan): MemoryResource {
  const resource = tenant.live(plan.type, plan.id);
  if (resource === undefined) throw new TypeError("A plan was applied to a resource that is not there");
  if (plan.kind === "update") {
    for (const entry of plan.unique.remove) tenant.release(entry, resource);
    for (const entry of taken(tenant, plan)) tenant.hold(entry, resource);
    if (plan.body !== null) resource.body = plan.body;
    for (const delta of plan.collections) applyDelta(resource, delta);
    keepSecrets(resource, plan);
  } else {
    tenant.releaseAll(resource);
    resource.secrets.clear();
    resource.deleted = plan.at;
  }
  return resource;
}

function keepSecrets(resource: MemoryResource, { secrets = [] }: CreatePlan | UpdatePlan): void {
  for (const { path, hash } of secrets)
    if (hash === null) resource.secrets.delete(path);
    else resource.secrets.set(path, hash);
}

function restored(tenant: MemoryTenant, plan: RestorePlan): MemoryResource {
  const resource = tenant.find(plan.type, plan.id);
  if (resource === undefined) throw new TypeError("A plan was applied to a resource that is not there");
  for (const entry of taken(tenant, plan)) tenant.hold(entry, resource);
  resource.body = plan.body;
  resource.deleted = null;
  return resource;
}

function takeOver(resource: MemoryResource, staged: StagedWrite | undefined, stages: MemoryStages): void {
  for (const { path } of staged?.changes ?? []) {
    const add = stages.valuesOf(staged?.stage ?? "", path);
    const stay = new Set(add.map(({ value }) => value));
    const remove = [...(resource.collections.get(path)?.keys() ?? [])].filter((value) => !stay.has(value));
    applyDelta(resource, { path, remove, add });
  }
}

function applyDelta({ collections }: MemoryResource, { path, remove, add }: CollectionDelta): void {
  const values = collections.get(path) ?? new Map<string, PlacedReference>();
  collections.set(path, values);
  if (remove === "all") values.clear();
  else for (const value of remove) values.delete(value);
  // A key that a map has keeps its place, so the last one has the greatest position.
  const last = [...values.values()].at(-1)?.position ?? 0;
  for (const [index, reference] of add.entries()) {
    const position = values.get(reference.value)?.position ?? last + 1 + index;
    values.set(reference.value, { position, reference });
  }
}

/** Revision and nonce, as text. */
function versionOf(revision: number, { nonce }: WritePlan): string {
  return `${revision.toString(36)}-${nonce}`;
}
