/**
 * Applies a plan in memory: everything is checked before anything changes.
 * @module
 */
import type {
  CollectionDelta,
  CreatePlan,
  ReferenceValue,
  UniqueEntry,
  UpdatePlan,
  WritePlan,
  WriteResult,
} from "../store/port.ts";
import type { MemoryResource, MemoryTenant } from "./memory-tenant.ts";

const NONCE = /^[A-Za-z0-9_-]{1,64}$/;

/** Applies a plan on behalf of a connection. */
export function applyPlan(tenant: MemoryTenant, connection: string, plan: WritePlan): WriteResult {
  if (!NONCE.test(plan.nonce)) throw new TypeError("A nonce is 1 to 64 characters of A-Z, a-z, 0-9, _ and -");
  if (plan.kind === "create") return create(tenant, connection, plan);
  const resource = tenant.live(plan.type, plan.id);
  if (resource === undefined) return { kind: "conflict", current: null };
  if (resource.version !== plan.expectedVersion) return { kind: "conflict", current: resource.version };
  if (plan.kind === "update") return update(tenant, resource, plan);
  tenant.releaseAll(resource);
  resource.deleted = plan.at;
  return written(resource, plan);
}

function create(tenant: MemoryTenant, connection: string, plan: CreatePlan): WriteResult {
  if (tenant.find(plan.type, plan.id) !== undefined) return { kind: "exists" };
  const taken = plan.unique.find((entry) => tenant.holder(entry) !== undefined);
  if (taken !== undefined) return { kind: "duplicate", entry: taken };
  const resource: MemoryResource = {
    type: plan.type,
    id: plan.id,
    connection,
    created: plan.at,
    revision: 0,
    version: "",
    lastModified: plan.at,
    deleted: null,
    body: plan.body,
    collections: new Map(),
  };
  tenant.add(resource);
  for (const entry of plan.unique) tenant.hold(entry, resource);
  for (const delta of plan.collections) applyDelta(resource, delta);
  return written(resource, plan);
}

function update(tenant: MemoryTenant, resource: MemoryResource, plan: UpdatePlan): WriteResult {
  const taken = plan.unique.add.find((entry) => isTaken(tenant, resource, entry));
  if (taken !== undefined) return { kind: "duplicate", entry: taken };
  for (const entry of plan.unique.remove) tenant.release(entry, resource);
  for (const entry of plan.unique.add) tenant.hold(entry, resource);
  if (plan.body !== null) resource.body = plan.body;
  for (const delta of plan.collections) applyDelta(resource, delta);
  return written(resource, plan);
}

function isTaken(tenant: MemoryTenant, resource: MemoryResource, entry: UniqueEntry): boolean {
  const holder = tenant.holder(entry);
  return holder !== undefined && holder !== resource;
}

function applyDelta({ collections }: MemoryResource, { path, remove, add }: CollectionDelta): void {
  const values = collections.get(path) ?? new Map<string, ReferenceValue>();
  collections.set(path, values);
  if (remove === "all") values.clear();
  else for (const value of remove) values.delete(value);
  // A key that a map has keeps its place.
  for (const value of add) values.set(value.value, value);
}

function written(resource: MemoryResource, plan: WritePlan): WriteResult {
  resource.revision += 1;
  resource.version = `${resource.revision.toString(36)}-${plan.nonce}`;
  resource.lastModified = plan.at;
  return { kind: "written", version: resource.version };
}
