/**
 * Drift: what in the target differs from what was applied last. The sources are not read.
 * @module
 */
import type { DynamicResource, ScimClient } from "@scim/client";
import { bindMapping, type BoundSection } from "../mapping/bind.ts";
import type { Mapping } from "../mapping/document.ts";
import { valueAt } from "../plan/assign.ts";
import { digestOf, readApplied, type Desired } from "../plan/desired.ts";
import { withOpenValues } from "../plan/kept-values.ts";
import type { AttributeChange } from "../plan/plan.ts";
import { resourceTypesOf } from "../plan/resource-types.ts";
import { readOne } from "../plan/read-single.ts";
import { isWhole, pagesOf } from "../plan/read-target.ts";
import { idsAt } from "../plan/owned.ts";
import { SpillFile } from "../spill/spill-file.ts";
import { SpilledSet } from "../spill/spilled-set.ts";
import { StateError } from "../state/state-error.ts";
import type { KnownResource } from "../state/known-resource.ts";
import type { SyncState } from "../state/sync-state.ts";
import { referenceDrift, type ReferenceDrift } from "./reference-drift.ts";

/** A resource that is not what was applied. */
export interface Drift {
  readonly type: string;
  readonly key: string;
  readonly id: string;
  /**
   * - `changed`: somebody changed what the sync owns.
   * - `members`: a list of references holds others than were put there.
   * - `gone`: it was deleted.
   * - `active`: it was deactivated since its record is gone, and is active again.
   */
  readonly kind: "changed" | "members" | "gone" | "active";
  /** What was applied (`to`), and what is there (`from`). */
  readonly changes: readonly AttributeChange[];
  /** Which references came and went, of kind `members`; null where the state was made by a release that did not remember them. */
  readonly references: ReferenceDrift | null;
}

/** What has drifted. */
export interface DriftReport {
  readonly drifts: readonly Drift[];
  /** Resources that were compared. */
  readonly compared: number;
}

/** What is compared. */
export interface DriftOptions {
  /** Client of the target. */
  readonly client: ScimClient;
  readonly mapping: Mapping;
  readonly state: SyncState;
  readonly signal?: AbortSignal | undefined;
  /** Told of each resource that is read. */
  readonly onRead?: (() => void) | undefined;
}

/**
 * Compares the target with what was applied last. Nothing is written.
 * @throws {@link StateError} where the state was made by another mapping, so that it cannot be compared
 * @throws {@link TemporaryFileError}
 */
export async function detectDrift(options: DriftOptions): Promise<DriftReport> {
  const { client, mapping, state, signal } = options;
  if (state.finished?.mapping !== mapping.fingerprint)
    throw new StateError(
      "otherState",
      "The state knows of no run of this mapping that came to its end: apply the mapping as it is first.",
    );
  const sections = bindMapping(mapping, await resourceTypesOf(client, signal));
  const drifts: Drift[] = [];
  const file = new SpillFile();
  const keyOf = (to: string, id: string): string | undefined => state.keyOf(to, id);
  let compared = 0;
  for (const [type, own] of byType(sections)) {
    const met = new SpilledSet(file);
    const [section] = own;
    if (section === undefined) continue;
    const resources = client.resource(section.type);
    const compare = (resource: DynamicResource): void => {
      const key = state.keyOf(type, resource.id);
      const known = key === undefined ? undefined : state.known(type).get(key);
      if (key === undefined || known === undefined || !met.add(key)) return;
      compared += 1;
      drifts.push(
        ...driftsOf(resource, {
          type,
          key,
          known,
          sections: own,
          keyOf,
          version: resources.versionOf(resource),
        }),
      );
    };
    const list = resources.list({ ...pagesOf(own), signal });
    for await (const resource of list) {
      options.onRead?.();
      compare(resource);
    }
    for (const [key, { id }] of state.known(type)) {
      if (met.has(key)) continue;
      const left = isWhole(list.report) ? null : await readOne(resources, id, { signal });
      if (left === null) drifts.push({ type, key, id, kind: "gone", changes: [], references: null });
      else compare(left);
    }
  }
  return { drifts, compared };
}

function byType(sections: readonly BoundSection[]): ReadonlyMap<string, readonly BoundSection[]> {
  return Map.groupBy(sections, ({ type }) => type.name);
}

interface Known {
  readonly type: string;
  readonly key: string;
  readonly known: KnownResource;
  readonly sections: readonly BoundSection[];
  readonly keyOf: (to: string, id: string) => string | undefined;
  /** Raw version of the resource. */
  readonly version: string | null;
}

function driftsOf(
  resource: DynamicResource,
  { keyOf, known, sections, version, ...own }: Known,
): readonly Drift[] {
  const { id } = resource;
  const about = { ...own, id, changes: [], references: null };
  if (known.left) {
    if (resource["active"] !== true) return [];
    const change = { path: "active", from: true, to: false };
    return [{ ...about, kind: "active", changes: [change] }];
  }
  const drifts: Drift[] = [];
  const applied = known.applied === null ? null : readApplied(known.applied, sections);
  if (applied === null) return [];
  const { section } = applied;
  const isAsCreated = version !== null && known.createdVersion === version;
  const changes = isAsCreated ? [] : changesOf(resource, applied, known);
  if (changes.length > 0) drifts.push({ ...about, kind: "changed", changes });
  const held = section.references.flatMap(({ target }) => [...idsAt(resource, target)]);
  if (section.references.length > 0 && digestOf(held) !== known.referenceIds) {
    const key = (each: string): string | undefined =>
      section.references.map(({ to }) => keyOf(to, each)).find((found) => found !== undefined);
    const references =
      known.references === null ? null : referenceDrift(new Set(held), known.references, key);
    drifts.push({ ...about, kind: "members", references });
  }
  return drifts;
}

function changesOf(
  resource: DynamicResource,
  applied: Pick<Desired, "section" | "values">,
  { kept }: KnownResource,
): readonly AttributeChange[] {
  const { section } = applied;
  const wanted = withOpenValues(resource, applied, kept);
  if (wanted === resource) return [];
  return section.set.flatMap(({ target }) => {
    const [from, to] = [valueAt(resource, target) ?? null, valueAt(wanted, target) ?? null];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path: target.text, from, to }];
  });
}
