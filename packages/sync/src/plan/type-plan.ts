/**
 * Compares what is asked for of one resource type with what the target has.
 * @module
 */
import type { DynamicResource } from "@scim/client";
import { isJsonArray, isJsonObject, type JsonValue } from "@scim/schemas";
import type { BoundSection } from "../mapping/bind.ts";
import { targetPath, type TargetPath } from "../mapping/target-path.ts";
import type { KeptValue, KnownResource } from "../state/known-resource.ts";
import type { SyncState } from "../state/state-file.ts";
import { SpilledMap, type TextForm } from "../spill/spilled-map.ts";
import { TextPile } from "../spill/text-pile.ts";
import { assign, comparableAt, valueAt } from "./assign.ts";
import type { DesiredOfType } from "./collect.ts";
import { appliedText, readApplied, type Desired, type RecordFault } from "./desired.ts";
import { keptIn, withOpenValues } from "./kept-values.ts";
import type { AttributeChange, CreateStep, LeaveStep, UpdateStep } from "./plan.ts";
import { Creation, Leaving, READ_FORM, ReadResources, Update, type ReadResource } from "./spilled-steps.ts";

/** A resource that belongs to a record. */
export interface Matched {
  readonly id: string;
  /** Ids that its lists of references hold, by the section's references; null where it was not read. */
  readonly held: readonly ReadonlySet<string>[] | null;
}

/** What is found out about one type, resource by resource. */
export class TypePlan {
  readonly type: string;
  readonly sections: readonly BoundSection[];
  readonly faults: RecordFault[] = [];
  /** Keys of known resources that have left and are inactive already. */
  readonly settled: string[] = [];
  /** Keys of known resources that the target does not have any more. */
  readonly forgotten: string[] = [];
  /** Whether the target is known to hold no resource of the type that the sync does not know. */
  isAlone = false;
  /** What the target is found to keep in another form, by key, where nothing else has to be done. */
  readonly kept: SpilledMap<readonly KeptValue[]>;
  readonly #asked: DesiredOfType;
  readonly #state: SyncState;
  readonly #byMatch: readonly { readonly path: TargetPath; readonly keys: ReadonlyMap<string, string> }[];
  readonly #updates: ReadResources;
  readonly #leavers: ReadResources;
  readonly #matched = new Map<string, Matched>();
  readonly #byMatchAlone = new Set<string>();
  readonly #ambiguous = new Set<string>();
  readonly #met = new Set<string>();
  #strangers = 0;

  constructor(sections: readonly BoundSection[], asked: DesiredOfType, state: SyncState) {
    this.type = sections[0]?.type.name ?? "";
    this.sections = sections;
    this.#asked = asked;
    this.#state = state;
    this.#byMatch = sections.map(({ match }) => ({
      path: match,
      keys: asked.byMatch.get(match.text) ?? new Map<string, string>(),
    }));
    const pile = new TextPile();
    this.#updates = new ReadResources(new SpilledMap(pile, READ_FORM));
    this.#leavers = new ReadResources(new SpilledMap(pile, READ_FORM));
    this.kept = new SpilledMap(pile, KEPT_FORM);
  }

  get matched(): ReadonlyMap<string, Matched> {
    return this.#matched;
  }

  *updates(): Generator<UpdateStep, void, undefined> {
    for (const key of this.#updates.keys())
      yield new Update({ type: this.type, key }, this.#asked.desired, this.#updates);
  }

  *leavers(): Generator<LeaveStep, void, undefined> {
    for (const key of this.#leavers.keys()) {
      const section = this.sections.find(({ index }) => index === this.#leavers.get(key)?.section);
      if (section !== undefined) yield new Leaving({ type: this.type, key }, section, this.#leavers);
    }
  }

  /** How many leave. */
  get leaverCount(): number {
    return this.#leavers.size;
  }

  /** What is asked for and the target does not have. */
  *creates(): Generator<CreateStep, void, undefined> {
    for (const key of this.#asked.desired.keys()) {
      if (this.#matched.has(key) || this.#ambiguous.has(key)) continue;
      yield new Creation({ type: this.type, key }, this.#asked.desired);
    }
  }

  /** Whether nothing is done for a record, since something is wrong with it. */
  isRefused(key: string): boolean {
    return this.#ambiguous.has(key);
  }

  /** Whether its resource goes, since its record is gone. */
  isDeleted(key: string): boolean {
    const leaver = this.#leavers.get(key);
    return this.sections.some(({ index, leavers }) => index === leaver?.section && leavers === "delete");
  }

  /** Whether a resource was met by its id. */
  hasMet(id: string): boolean {
    return this.#met.has(id);
  }

  /** Takes a resource of the target in, with its raw version; null where it has none. */
  meet(resource: DynamicResource, version: string | null): void {
    const { id } = resource;
    if (this.#met.has(id)) return;
    this.#met.add(id);
    const known = this.#state.keyOf(this.type, id);
    const found = this.#keyByMatch(resource);
    const isKnown = known !== undefined && this.#asked.desired.has(known);
    const key = isKnown ? known : found;
    if (isKnown && found !== undefined && found !== known) this.#refuseTaken(found, known);
    // Its record has another key now.
    if (known !== undefined && key !== undefined && known !== key) this.forgotten.push(known);
    if (key !== undefined) this.#take(key, { resource, version }, isKnown);
    else if (known !== undefined) this.#leave(known, { resource, version });
    else this.#strangers += 1;
  }

  /** Whether resources were met that the sync does not know, and that no record asks for. */
  get hasStrangers(): boolean {
    return this.#strangers > 0;
  }

  /** Takes in that a resource is what it was when it was last applied. */
  keep({ key }: Desired, id: string): void {
    this.#met.add(id);
    this.#matched.set(key, { id, held: null });
  }

  /** Takes back that a resource is what it was, so that it can be met. */
  reconsider(key: string): void {
    const matched = this.#matched.get(key);
    if (matched === undefined) return;
    this.#matched.delete(key);
    this.#met.delete(matched.id);
  }

  #keyByMatch(resource: DynamicResource): string | undefined {
    for (const { path, keys } of this.#byMatch) {
      const text = comparableAt(resource, path);
      const key = text === undefined ? undefined : keys.get(text);
      if (key !== undefined && this.#asked.desired.has(key)) return key;
    }
    return undefined;
  }

  #take(key: string, { resource, version }: Met, isKnown: boolean): void {
    const desired = this.#asked.desired.get(key);
    if (desired === undefined || this.#ambiguous.has(key)) return;
    const before = this.#matched.get(key);
    if (before !== undefined && !isKnown) {
      if (this.#byMatchAlone.has(key)) this.#refuseAmbiguous(desired, [before.id, resource.id]);
      return;
    }
    if (isKnown) this.#byMatchAlone.delete(key);
    else this.#byMatchAlone.add(key);
    const { section } = desired;
    const { references } = section;
    const held = references.length === 0 ? NONE : references.map(({ target }) => idsAt(resource, target));
    this.#matched.set(key, { id: resource.id, held });
    const update = this.#updateOf(desired, { resource, version });
    if (update === null) this.#updates.delete(key);
    else this.#updates.set(key, update, version);
  }

  #updateOf(desired: Desired, { resource: before, version }: Met): ReadResource | null {
    const { key } = desired;
    const known = this.#state.known(this.type).get(key);
    const isBack = known?.left === true;
    const kept = known?.id === before.id ? known.kept : [];
    const after = ownedIn(before, { desired, isBack }, kept);
    if (after === before) return null;
    // Nobody has changed it since it was created as it is asked for: what differs, the target made of it.
    const isAsCreated = version !== null && known?.createdVersion === version;
    if (isAsCreated && !isBack && known.applied === appliedText(desired)) {
      this.kept.set(key, keptIn(before, desired));
      return null;
    }
    const paths = desired.section.set.map(({ target }) => target);
    const changes = changesBetween({ before, after, paths });
    if (isBack && before["active"] !== after["active"] && !changes.some(({ path }) => path === "active"))
      changes.push({ path: "active", from: before["active"] ?? null, to: after["active"] ?? null });
    return { id: before.id, before, changes, isBack, section: null };
  }

  #leave(key: string, { resource: before, version }: Met): void {
    const { held, removed, hasUnknown, changesOnly } = this.#asked;
    if (held.has(key) || hasUnknown || (changesOnly && !removed.has(key))) return;
    const applied = this.#state.known(this.type).get(key)?.applied ?? null;
    const section =
      (applied === null ? null : readApplied(applied, this.sections)?.section) ?? this.sections[0];
    if (section === undefined || section.leavers === "ignore") return;
    if (section.leavers === "deactivate" && before["active"] === false) {
      this.settled.push(key);
      return;
    }
    const own = { id: before.id, before, changes: [], isBack: false, section: section.index };
    this.#leavers.set(key, own, version);
  }

  #refuseTaken(key: string, other: string): void {
    const desired = this.#asked.desired.get(key);
    if (desired === undefined) return;
    this.#refuse(
      desired,
      `Its '${desired.section.match.text}' is held by the resource of record '${other}': two records cannot be one resource.`,
    );
  }

  #refuseAmbiguous(desired: Desired, ids: readonly string[]): void {
    this.#refuse(
      desired,
      `The target holds several resources with its '${desired.section.match.text}' (${ids.join(", ")}): remove all but one, or match by another attribute.`,
    );
  }

  #refuse(desired: Desired, message: string): void {
    const { key, place } = desired;
    if (this.#ambiguous.has(key)) return;
    this.#ambiguous.add(key);
    this.#matched.delete(key);
    this.#updates.delete(key);
    this.faults.push({ type: this.type, key, place, message });
  }

  /** Known resources that no record asks for, and that were not met. */
  *missing(): Generator<readonly [string, KnownResource], void, undefined> {
    for (const entry of this.#state.known(this.type)) {
      const [key, { id }] = entry;
      if (!this.#asked.desired.has(key) && !this.#met.has(id)) yield entry;
    }
  }

  /** What is asked for. */
  get asked(): DesiredOfType {
    return this.#asked;
  }
}

const NONE: readonly ReadonlySet<string>[] = [];

/** How what is kept stands in a pile of texts. */
const KEPT_FORM: TextForm<readonly KeptValue[]> = {
  write: JSON.stringify,
  // Written by `write`.
  read: (text) => JSON.parse(text) as readonly KeptValue[],
};

/** A resource that was read, and its raw version. */
interface Met {
  readonly resource: DynamicResource;
  readonly version: string | null;
}

/** A resource with what is owned; active again where it had left and is back. What the target keeps otherwise stays. */
export function ownedIn(
  before: DynamicResource,
  { desired, isBack }: Pick<UpdateStep, "desired" | "isBack">,
  kept: readonly KeptValue[],
): DynamicResource {
  const { type } = desired.section;
  const active = isBack ? assign(before, targetPath(type, "active"), true) : before;
  // Owned places are never the id.
  return withOpenValues(active, desired, kept) as DynamicResource;
}

function changesBetween({
  before,
  after,
  paths,
}: {
  readonly before: DynamicResource;
  readonly after: DynamicResource;
  readonly paths: readonly TargetPath[];
}): AttributeChange[] {
  return paths.flatMap((path) => {
    const [from, to] = [valueAt(before, path) ?? null, valueAt(after, path) ?? null];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ path: path.text, from, to }];
  });
}

/** The ids that a list of references holds. */
export function idsAt(resource: DynamicResource, target: TargetPath): ReadonlySet<string> {
  const held: JsonValue = valueAt(resource, target) ?? [];
  const values = isJsonArray(held) ? held : [held];
  return new Set(
    values.flatMap((each) => {
      const value = isJsonObject(each) ? each["value"] : undefined;
      return typeof value === "string" ? [value] : [];
    }),
  );
}
