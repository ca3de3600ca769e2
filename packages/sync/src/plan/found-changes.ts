/**
 * What becomes of a resource of the target that was read: what differs from its record, and what is done where its record
 * has left.
 * @module
 */
import type { DynamicResource } from "@scim/client";
import type { BoundSection } from "../mapping/bind.ts";
import type { KnownResource } from "../state/known-resource.ts";
import { appliedText, digestOf, readApplied, type Desired } from "./desired.ts";
import { withOpenValues } from "./kept-values.ts";
import { changesBetween, idsAt, ownedIn } from "./owned.ts";
import type { ReadResource } from "./spilled-steps.ts";

/** A resource that was read, and its raw version; null where it has none. */
export interface Met {
  readonly resource: DynamicResource;
  readonly version: string | null;
}

/**
 * What has to be updated of a record's resource; null for nothing. `kept`: what differs, the target made of what it was
 * created with.
 */
export function updateOf(
  desired: Desired,
  { resource: before, version }: Met,
  known: KnownResource | undefined,
): ReadResource | "kept" | null {
  const isSame = known?.id === before.id;
  const isBack = isSame && known.left;
  const kept = isSame ? known.kept : [];
  const after = ownedIn(before, { desired, isBack }, kept);
  if (after === before) return null;
  // Nobody has changed it since it was created as it is asked for.
  const isAsCreated = version !== null && known?.createdVersion === version;
  if (isAsCreated && !isBack && known.applied === appliedText(desired)) return "kept";
  const paths = desired.section.set.map(({ target }) => target);
  const changes = changesBetween({ before, after, paths });
  if (isBack && before["active"] !== after["active"] && !changes.some(({ path }) => path === "active"))
    changes.push({ path: "active", from: before["active"] ?? null, to: after["active"] ?? null });
  return { id: before.id, before, changes, isBack, section: null };
}

/** Whether a resource is what was applied last; false where nothing is known of that. */
export function isAsApplied(
  { resource, version }: Met,
  known: KnownResource | undefined,
  sections: readonly BoundSection[],
): boolean {
  if (known?.id !== resource.id) return false;
  if (known.left) return resource["active"] === false;
  const applied = known.applied === null ? null : readApplied(known.applied, sections);
  if (applied === null) return false;
  const isAsCreated = version !== null && known.createdVersion === version;
  if (!isAsCreated && withOpenValues(resource, applied, known.kept) !== resource) return false;
  const held = applied.section.references.flatMap(({ target }) => [...idsAt(resource, target)]);
  return digestOf(held) === known.referenceIds;
}

/**
 * What is done with the resource of a record that has left, by the section that it was made by; null for nothing. `settled`:
 * it is inactive already.
 */
export function leavingOf(
  before: DynamicResource,
  known: KnownResource | undefined,
  sections: readonly BoundSection[],
): ReadResource | "settled" | null {
  const applied = known?.applied ?? null;
  const section = (applied === null ? null : readApplied(applied, sections)?.section) ?? sections[0];
  if (section === undefined || section.leavers === "ignore") return null;
  if (section.leavers === "deactivate" && before["active"] === false) return "settled";
  return { id: before.id, before, changes: [], isBack: false, section: section.index };
}
