/**
 * Compares what is asked for of one resource type with what the target has.
 * @module
 */
import type { DynamicResource, ListReport } from "@scim/client";
import type { BoundSection } from "../mapping/bind.ts";
import type { KeptValue, KnownResource } from "../state/known-resource.ts";
import type { SyncState } from "../state/sync-state.ts";
import type { SpillFile } from "../spill/spill-file.ts";
import { jsonForm, SpilledMap, type ReadonlySpilledMap } from "../spill/spilled-map.ts";
import { SpilledSet } from "../spill/spilled-set.ts";
import type { DesiredOfType } from "./collect.ts";
import { isOfSection, type Desired, type RecordFault } from "./desired.ts";
import { isAsApplied, leavingOf, updateOf, type Met } from "./found-changes.ts";
import { keptIn } from "./kept-values.ts";
import { ListChanges } from "./list-changes.ts";
import { idsAt } from "./owned.ts";
import type { CreateStep, LeaveStep, UpdateStep } from "./plan.ts";
import { RecordKeys } from "./record-keys.ts";
import { Creation, Leaving, ReadResources, Update } from "./spilled-steps.ts";

/** A resource that belongs to a record. */
export interface Matched {
  readonly id: string;
  /** Ids that its lists of references hold, by the section's references; null where it was not read. */
  readonly held: readonly (readonly string[])[] | null;
  /** Whether it was found by `match`, and is not known to belong to the record. */
  readonly isByMatch: boolean;
}

/** What is found out about one type, resource by resource. */
export class TypePlan {
  readonly type: string;
  readonly sections: readonly BoundSection[];
  readonly faults: RecordFault[] = [];
  /** What else there is to know of how it was read, for people. */
  readonly notes: string[] = [];
  /** Keys of known resources that have left and are inactive already. */
  readonly settled: SpilledSet;
  /** Keys of known resources that the target does not have any more. */
  readonly forgotten: SpilledSet;
  /** Ids of resources that are to be compared the next time, since they were not now, by key. */
  readonly unsettled: SpilledMap<string>;
  /** Whether the target is known to hold no resource of the type that the sync does not know. */
  isAlone = false;
  /** What the target is found to keep in another form, by key, where nothing else has to be done. */
  readonly kept: SpilledMap<readonly KeptValue[]>;
  /** What becomes of lists of references. */
  readonly lists: ListChanges;
  readonly #asked: DesiredOfType;
  readonly #state: SyncState;
  readonly #keys: RecordKeys;
  readonly #updates: ReadResources;
  readonly #leavers: ReadResources;
  readonly #matched: SpilledMap<Matched>;
  readonly #ambiguous = new Set<string>();
  readonly #met: SpilledSet;
  #strangers = 0;
  #createCount: number | null = null;

  constructor(sections: readonly BoundSection[], { asked, state, file }: TypeContext) {
    this.type = sections[0]?.type.name ?? "";
    this.sections = sections;
    this.#asked = asked;
    this.#state = state;
    this.#keys = new RecordKeys(this.type, sections, { asked, state });
    this.#updates = new ReadResources(file);
    this.#leavers = new ReadResources(file);
    this.lists = new ListChanges(this.type, asked.desired, file);
    this.#matched = new SpilledMap(file, jsonForm());
    this.#met = new SpilledSet(file);
    this.kept = new SpilledMap(file, jsonForm());
    this.settled = new SpilledSet(file);
    this.unsettled = new SpilledMap(file, jsonForm());
    this.forgotten = new SpilledSet(file);
  }

  get matched(): ReadonlySpilledMap<Matched> {
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

  /** Known resources of which neither a record nor its absence tells anything, as where a source tells its changes alone. */
  get unaskedCount(): number {
    let count = 0;
    for (const [key, { left }] of this.#state.known(this.type))
      if (!left && !this.#matched.has(key) && !this.#leavers.has(key) && !this.forgotten.has(key)) count += 1;
    return count;
  }

  /** How many are created: counted once, when it is known of all what the target has. */
  get createCount(): number {
    if (this.#createCount !== null) return this.#createCount;
    let count = 0;
    const creations = this.creates();
    while (creations.next().done !== true) count += 1;
    this.#createCount = count;
    return count;
  }

  /** How many are updated. */
  get updateCount(): number {
    return this.#updates.size;
  }

  /** Whether the attributes of a record's resource change. */
  isUpdated(key: string): boolean {
    return this.#updates.has(key);
  }

  /** Whether anything of a record's resource changes. */
  isChanged(key: string): boolean {
    return this.isUpdated(key) || this.lists.isChanged(key);
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
    if (!this.#met.add(id)) return;
    const found = this.#keys.ofMatch(resource);
    const tried = found === undefined ? this.#keys.ofTried(resource) : undefined;
    const known = this.#state.keyOf(this.type, id) ?? tried;
    const isKnown = this.#staysWith(known, found);
    const key = isKnown ? known : found;
    if (isKnown && found !== undefined && found !== known) this.#refuseTaken(found, known);
    // Its record has another key now.
    if (known !== undefined && key !== undefined && known !== key) this.forgotten.add(known);
    if (key !== undefined) this.#take(key, { resource, version }, isKnown);
    else this.#meetUnasked(known, { resource, version });
  }

  /**
   * Whether a resource is that of the record of the key that it is known by. Where the mapping gives keys otherwise now, that may be
   * another's: what is found by `match` counts.
   */
  #staysWith(known: string | undefined, found: string | undefined): known is string {
    if (known === undefined || !this.#asked.desired.has(known)) return false;
    if (found === undefined || found === known) return true;
    const applied = this.#state.known(this.type).get(known)?.applied ?? null;
    return applied === null || isOfSection(applied, this.sections);
  }

  /** Takes in a resource that no record asks for, with the key that it was made for or belonged to. */
  #meetUnasked(known: string | undefined, met: Met): void {
    if (known !== undefined) this.#leave(known, met);
    if (this.#state.keyOf(this.type, met.resource.id) === undefined) this.#strangers += 1;
  }

  /** Takes in that whatever was created was met: of what was not, nothing came about. */
  forgetTried(): void {
    for (const key of this.#keys.open()) if (!this.#matched.has(key)) this.forgotten.add(key);
  }

  /** Takes in what was met while all resources were listed. */
  takeReport({ totalResults, resources }: ListReport): void {
    if (totalResults !== null && resources < totalResults)
      this.notes.push(
        `${this.type}: the target says that it has ${totalResults}, and listed ${resources}; those that the sync knows were read one by one, and others may be missing.`,
      );
  }

  /** Whether resources were met that the sync does not know, and that no record asks for. */
  get hasStrangers(): boolean {
    return this.#strangers > 0;
  }

  /** Takes in that a resource is what it was when it was last applied, also where another one was found by `match`. */
  keep({ key }: Desired, id: string): void {
    this.#met.add(id);
    if (this.#matched.has(key)) {
      this.#updates.delete(key);
      this.kept.delete(key);
    }
    this.#matched.set(key, { id, held: null, isByMatch: false });
  }

  /** Takes back that a resource is what it was, so that it can be met. */
  reconsider(key: string): void {
    const matched = this.#matched.get(key);
    if (matched === undefined) return;
    this.#matched.delete(key);
    this.#met.delete(matched.id);
  }

  #take(key: string, { resource, version }: Met, isKnown: boolean): void {
    const desired = this.#asked.desired.get(key);
    if (desired === undefined || this.#ambiguous.has(key)) return;
    const before = this.#matched.get(key);
    if (before !== undefined && !isKnown) {
      if (before.isByMatch) this.#refuseAmbiguous(desired, [before.id, resource.id]);
      return;
    }
    const { section } = desired;
    const { references } = section;
    const held = references.map(({ target }) => [...idsAt(resource, target)]);
    this.#matched.set(key, { id: resource.id, held, isByMatch: !isKnown });
    const update = updateOf(desired, { resource, version }, this.#state.known(this.type).get(key));
    if (update === "kept") this.kept.set(key, keptIn(resource, desired));
    if (update === null || update === "kept") this.#updates.delete(key);
    else this.#updates.set(key, update, version);
  }

  #leave(key: string, { resource, version }: Met): void {
    const { held, removed, hasUnknown, changesOnly } = this.#asked;
    const known = this.#state.known(this.type).get(key);
    const stays = held.has(key) || hasUnknown || (changesOnly && !removed.has(key));
    const leaving = stays ? null : leavingOf(resource, known, this.sections);
    if (leaving === "settled") this.settled.add(key);
    else if (leaving !== null) this.#leavers.set(key, leaving, version);
    else if (!isAsApplied({ resource, version }, known, this.sections)) this.unsettled.set(key, resource.id);
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
    const known = this.#state.known(this.type).get(key);
    if (known !== undefined) this.unsettled.set(key, known.id);
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

/** What a plan of a type is made of. */
interface TypeContext {
  readonly asked: DesiredOfType;
  readonly state: SyncState;
  /** Keeps what is found out. */
  readonly file: SpillFile;
}
