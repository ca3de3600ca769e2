/**
 * A stage in memory.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import { equalInList } from "../attributes/equal.ts";
import type { ReferenceValue } from "../store/stored-resource.ts";
import {
  pairsOf,
  SHORT_DIFFERENCE,
  stagedChange,
  type ReferenceBatch,
  type ReferenceStage,
  type SettleReference,
  type StageDifference,
  type StageTarget,
} from "../store/reference-stage.ts";
import { valuesOf, type MemoryTenant } from "./memory-tenant.ts";

/** The stages of a store, by id. */
export class MemoryStages {
  readonly #stages = new Map<string, MemoryStage>();
  #count = 0;

  open(tenant: MemoryTenant): ReferenceStage {
    this.#count += 1;
    const id = `stage-${this.#count}`;
    const stage = new MemoryStage(id, tenant, () => this.#stages.delete(id));
    this.#stages.set(id, stage);
    return stage;
  }

  /** What a collection of a stage holds, as the last comparison settled it. */
  valuesOf(id: string, path: string): readonly ReferenceValue[] {
    const stage = this.#stages.get(id);
    if (stage === undefined) throw new TypeError(`There is no stage ${id}`);
    return stage.values(path);
  }
}

class MemoryStage implements ReferenceStage {
  readonly id: string;
  readonly #tenant: MemoryTenant;
  readonly #onClose: () => void;
  /** By path and value, in the order of adding. */
  readonly #staged = new Map<string, Map<string, JsonObject>>();
  readonly #settled = new Map<string, ReadonlyMap<string, JsonObject>>();
  /** What is left of collections that lose what is staged, by path. */
  readonly #left = new Map<string, readonly ReferenceValue[]>();

  constructor(id: string, tenant: MemoryTenant, onClose: () => void) {
    this.id = id;
    this.#tenant = tenant;
    this.#onClose = onClose;
  }

  async add(path: string, batch: ReferenceBatch): Promise<readonly ReferenceValue[]> {
    const staged = this.#of(path);
    const known: ReferenceValue[] = [];
    for (const { value, rest } of pairsOf(batch)) {
      const same = staged.get(value);
      if (same === undefined) staged.set(value, rest);
      else known.push({ value, rest: same });
    }
    return known;
  }

  async amend(path: string, batch: ReferenceBatch): Promise<void> {
    const staged = this.#of(path);
    for (const { value, rest } of pairsOf(batch)) if (staged.has(value)) staged.set(value, rest);
  }

  async compare({ type, id, path }: StageTarget, settle: SettleReference): Promise<StageDifference> {
    const held = this.#held({ type, id, path });
    const settled = new Map<string, JsonObject>();
    for (const [value, rest] of this.#of(path)) {
      const same = held.get(value);
      if (same !== undefined && !equalInList(same.rest, rest)) settled.set(value, settle(same, rest));
    }
    this.#settled.set(path, settled);
    this.#left.delete(path);
    return this.#difference(path, held);
  }

  async leave({ type, id, path }: StageTarget): Promise<StageDifference> {
    const held = this.#held({ type, id, path });
    const staged = this.#of(path);
    this.#left.set(
      path,
      [...held.values()].filter(({ value }) => !staged.has(value)),
    );
    return this.#difference(path, held);
  }

  #held({ type, id, path }: StageTarget): ReadonlyMap<string, ReferenceValue> {
    const owner = this.#tenant.live(type, id);
    const values = owner === undefined ? [] : valuesOf(owner, path);
    return new Map(values.map((reference) => [reference.value, reference]));
  }

  #difference(path: string, held: ReadonlyMap<string, ReferenceValue>): StageDifference {
    const values = this.values(path);
    const after = new Set(values.map(({ value }) => value));
    const remove = [...held.keys()].filter((value) => !after.has(value));
    const add = values.filter(({ value, rest }) => {
      const same = held.get(value);
      return same === undefined || !equalInList(same.rest, rest);
    });
    if (remove.length + add.length <= SHORT_DIFFERENCE)
      return { kind: "short", delta: { path, remove, add } };
    const addedValues = add.map(({ value }) => value);
    const [removed, added] = [remove.length, add.length];
    return {
      kind: "long",
      change: stagedChange(path, { removed, added, removedValues: remove, addedValues }),
    };
  }

  values(path: string): readonly ReferenceValue[] {
    const left = this.#left.get(path);
    if (left !== undefined) return left;
    const settled = this.#settled.get(path);
    return [...this.#of(path)].map(([value, rest]) => ({ value, rest: settled?.get(value) ?? rest }));
  }

  async close(): Promise<void> {
    this.#onClose();
  }

  #of(path: string): Map<string, JsonObject> {
    const known = this.#staged.get(path);
    if (known !== undefined) return known;
    const made = new Map<string, JsonObject>();
    this.#staged.set(path, made);
    return made;
  }
}
