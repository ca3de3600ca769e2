/**
 * The resources of one tenant in memory.
 * @module
 */
import { compareKeys } from "@scim/filter";
import type { JsonObject } from "@scim/schemas";
import type { RuleState } from "../store/connection-rules.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";
import type { UniqueEntry } from "../store/write-plan.ts";
import { MemoryEvents } from "./memory-events.ts";

/** A value of a collection, with the place that it keeps among the others. */
export interface PlacedReference {
  readonly position: number;
  readonly reference: ReferenceValue;
}

/** A resource; it changes in place. */
export interface MemoryResource {
  readonly type: string;
  readonly id: string;
  readonly connection: string;
  readonly created: string;
  revision: number;
  version: string;
  lastModified: string;
  deleted: string | null;
  body: JsonObject;
  /** Values by path and by `value`, in the order of adding. */
  readonly collections: Map<string, Map<string, PlacedReference>>;
  /** Hashes of secrets by path. */
  readonly secrets: Map<string, string>;
}

/** The values of a collection of a resource, in the order of adding. */
export function valuesOf({ collections }: MemoryResource, path: string): readonly ReferenceValue[] {
  return [...(collections.get(path)?.values() ?? [])].map(({ reference }) => reference);
}

/** The first value of a collection of a resource, or none. */
export function firstOf({ collections }: MemoryResource, path: string): readonly ReferenceValue[] {
  for (const { reference } of collections.get(path)?.values() ?? []) return [reference];
  return [];
}

type RuleName = Pick<UniqueEntry, "scope" | "path">;

/** Resources, unique values and events of a tenant. */
export class MemoryTenant {
  readonly events = new MemoryEvents();
  readonly #resources = new Map<string, MemoryResource>();
  /** Which resource holds a unique value, by the value's name. */
  readonly #holders = new Map<string, MemoryResource>();
  readonly #rules = new Map<string, RuleState>();

  /** The resource of an id, deleted or not. */
  find(type: string, id: string): MemoryResource | undefined {
    return this.#resources.get(nameOf(type, id));
  }

  /** Whether a resource of any type has an id, deleted or not. */
  hasId(id: string): boolean {
    return [...this.#resources.values()].some((resource) => resource.id === id);
  }

  /** The resources as they are now; what is unique and what happened are left out. */
  copy(): MemoryTenant {
    const copy = new MemoryTenant();
    for (const resource of this.#resources.values()) {
      const collections = [...resource.collections].map(([path, values]) => [path, new Map(values)] as const);
      copy.add({ ...resource, collections: new Map(collections) });
    }
    return copy;
  }

  live(type: string, id: string): MemoryResource | undefined {
    const resource = this.find(type, id);
    return resource?.deleted === null ? resource : undefined;
  }

  /** The live resources of a type, in order of id. */
  liveOf(type: string): readonly MemoryResource[] {
    return [...this.#resources.values()]
      .filter((resource) => resource.type === type && resource.deleted === null)
      .toSorted((a, b) => compareKeys(a.id, b.id));
  }

  /** The deleted resources that can be restored. */
  deleted(): readonly DeletedInMemory[] {
    return [...this.#resources.values()].filter(isRestorable);
  }

  add(resource: MemoryResource): void {
    this.#resources.set(nameOf(resource.type, resource.id), resource);
  }

  /** The resource that holds a unique value. */
  holder({ scope, path, key }: UniqueEntry): MemoryResource | undefined {
    return this.#holders.get(nameOf(scope, path, key));
  }

  hold({ scope, path, key }: UniqueEntry, resource: MemoryResource): void {
    this.#holders.set(nameOf(scope, path, key), resource);
  }

  /** Gives a unique value up where the resource holds it. */
  release(entry: UniqueEntry, resource: MemoryResource): void {
    if (this.holder(entry) === resource) this.#holders.delete(nameOf(entry.scope, entry.path, entry.key));
  }

  /** How far a rule of a connection is held. */
  ruleState({ scope, path }: RuleName): RuleState | null {
    return this.#rules.get(nameOf(scope, path)) ?? null;
  }

  setRule({ scope, path }: RuleName, state: RuleState | null): void {
    if (state === null) this.#rules.delete(nameOf(scope, path));
    else this.#rules.set(nameOf(scope, path), state);
  }

  releaseAll(resource: MemoryResource): void {
    for (const [name, holder] of this.#holders) if (holder === resource) this.#holders.delete(name);
  }

  /** Removes rows of tombstones: first their references, then themselves. */
  purge(before: string, limit: number): number {
    let removed = 0;
    for (const [name, resource] of this.#resources) {
      if (resource.deleted === null || resource.deleted >= before) continue;
      const gone = removeReferences(resource, limit - removed);
      if (gone > 0) resource.deleted = BEING_PURGED;
      removed += gone;
      if (removed >= limit) return removed;
      this.#resources.delete(name);
      removed += 1;
    }
    return removed;
  }
}

/** Stands in the place of when a resource was deleted: before every instant that a purge may be given. */
const BEING_PURGED = "";

/** A deleted resource that no purge has begun to remove. */
export type DeletedInMemory = MemoryResource & { deleted: string };

function isRestorable(resource: MemoryResource): resource is DeletedInMemory {
  return resource.deleted !== null && resource.deleted !== BEING_PURGED;
}

function removeReferences({ collections }: MemoryResource, limit: number): number {
  let removed = 0;
  for (const values of collections.values()) {
    for (const value of values.keys()) {
      if (removed >= limit) return removed;
      values.delete(value);
      removed += 1;
    }
  }
  return removed;
}

function nameOf(...parts: readonly (string | number | boolean)[]): string {
  return JSON.stringify(parts);
}
