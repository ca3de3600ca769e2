/**
 * Inverse collections in memory: a walk, level by level.
 * @module
 */
import { compareKeys } from "@scim/filter";
import type { InverseSelection } from "../store/port.ts";
import type { InverseValue } from "../store/stored-resource.ts";
import type { MemoryResource, MemoryTenant } from "./memory-tenant.ts";

/** Who refers to a resource, directly or through others, up to the depth of the selection. */
export function inverseValues(
  tenant: MemoryTenant,
  id: string,
  { inverse, depth }: InverseSelection,
): readonly InverseValue[] {
  const found = new Map<MemoryResource, InverseValue>();
  let level: ReadonlySet<string> = new Set([id]);
  for (let distance = 1; distance <= depth && level.size > 0; distance += 1) {
    const next = new Set<string>();
    for (const { type, collection, displayKey } of inverse.sources) {
      for (const owner of tenant.liveOf(type)) {
        if (found.has(owner) || !refersTo(owner, collection, level)) continue;
        const display = displayKey === null ? undefined : owner.body[displayKey];
        found.set(owner, {
          type,
          id: owner.id,
          display: typeof display === "string" ? display : null,
          direct: distance === 1,
        });
        next.add(owner.id);
      }
    }
    level = next;
  }
  return [...found.values()].toSorted((a, b) => compareKeys(a.type, b.type) || compareKeys(a.id, b.id));
}

function refersTo(owner: MemoryResource, path: string, ids: ReadonlySet<string>): boolean {
  const values = owner.collections.get(path);
  if (values === undefined) return false;
  for (const id of ids) if (values.has(id)) return true;
  return false;
}
