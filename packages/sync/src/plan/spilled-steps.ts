/**
 * Steps of a plan whose resources stand outside memory until somebody looks at them: a plan may change everybody.
 * As JSON, a step tells what it does, and not what it is made of.
 * @module
 */
import type { DynamicResource } from "@scim/client";
import { isJsonObject, type JsonObject } from "@scim/schemas";
import type { BoundSection } from "../mapping/bind.ts";
import { isNeverReturned } from "../mapping/never-returned.ts";
import type { SpillFile } from "../spill/spill-file.ts";
import { jsonForm, SpilledMap } from "../spill/spilled-map.ts";
import { newResource, type Desired } from "./desired.ts";
import type { AttributeChange, CreateStep, LeaveStep, PlanStep, PlanSteps, UpdateStep } from "./plan.ts";

/** What is asked for, by key. */
export type DesiredByKey = Pick<SpilledMap<Desired>, "get">;

/** What names a step. */
export interface Named {
  readonly type: string;
  readonly key: string;
}

/** What is known of a step. @throws RangeError where nothing is */
export function held<Value>(map: Pick<SpilledMap<Value>, "get">, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`Nothing is known of '${key}'.`);
  return value;
}

/** A step that a record asks for. */
export class AskedStep {
  readonly type: string;
  readonly key: string;
  readonly #asked: DesiredByKey;

  constructor({ type, key }: Named, asked: DesiredByKey) {
    this.type = type;
    this.key = key;
    this.#asked = asked;
  }

  get desired(): Desired {
    return held(this.#asked, this.key);
  }
}

/** A resource that is created. */
export class Creation extends AskedStep implements CreateStep {
  readonly action = "create";

  get place(): string {
    return this.desired.place;
  }

  get resource(): JsonObject {
    return newResource(this.desired);
  }

  toJSON(): JsonObject {
    const { action, type, key, desired } = this;
    return { action, type, key, place: desired.place, resource: newResource(withoutSecrets(desired)) };
  }
}

/** Stands for a value that must not come into logs. */
const WITHHELD = "~withheld";

/** What is asked for, without what the target would never tell. */
function withoutSecrets({ initial, ...asked }: Desired): Desired {
  const shown = asked.section.initial.map(({ target, rule }, at) => {
    const value = initial[at] ?? null;
    return value !== null && isNeverReturned(target, rule) ? WITHHELD : value;
  });
  return { ...asked, initial: shown };
}

/** A resource as it was read, and what becomes of it. */
export interface ReadResource {
  readonly id: string;
  readonly before: DynamicResource;
  readonly changes: readonly AttributeChange[];
  readonly isBack: boolean;
  /** Section by which it leaves; null where it does not. */
  readonly section: number | null;
}

/** What resources that were read are kept in. */
export class ReadResources {
  readonly #spilled: SpilledMap<ReadResource>;
  /** Those of which the client alone knows the version: it knows that by the object. */
  readonly #whole = new Map<string, ReadResource>();

  constructor(file: SpillFile) {
    this.#spilled = new SpilledMap(file, jsonForm());
  }

  get size(): number {
    return this.#spilled.size + this.#whole.size;
  }

  *keys(): Generator<string, void, undefined> {
    yield* this.#spilled.keys();
    yield* this.#whole.keys();
  }

  has(key: string): boolean {
    return this.#whole.has(key) || this.#spilled.has(key);
  }

  get(key: string): ReadResource | undefined {
    return this.#whole.get(key) ?? this.#spilled.get(key);
  }

  /** @param version raw version of the resource; null where it has none */
  set(key: string, resource: ReadResource, version: string | null): void {
    this.delete(key);
    if (tellsVersion(resource.before, version)) this.#spilled.set(key, resource);
    else this.#whole.set(key, resource);
  }

  delete(key: string): void {
    this.#whole.delete(key);
    this.#spilled.delete(key);
  }
}

function tellsVersion({ meta }: DynamicResource, version: string | null): boolean {
  const told = isJsonObject(meta) ? meta["version"] : undefined;
  return version === null || told === version || told === `W/"${version}"` || told === `"${version}"`;
}

/** A resource whose attributes are changed. */
export class Update extends AskedStep implements UpdateStep {
  readonly action = "update";
  readonly #read: ReadResources;

  constructor(named: Named, asked: DesiredByKey, read: ReadResources) {
    super(named, asked);
    this.#read = read;
  }

  get id(): string {
    return held(this.#read, this.key).id;
  }

  get place(): string {
    return this.desired.place;
  }

  get before(): DynamicResource {
    return held(this.#read, this.key).before;
  }

  get changes(): readonly AttributeChange[] {
    return held(this.#read, this.key).changes;
  }

  get isBack(): boolean {
    return held(this.#read, this.key).isBack;
  }

  toJSON(): JsonObject {
    const { action, type, key, place } = this;
    const { id, changes, isBack } = held(this.#read, key);
    return { action, type, key, id, place, changes: changes.map((change) => ({ ...change })), isBack };
  }
}

/** A resource whose record is gone. */
export class Leaving implements LeaveStep {
  readonly action: "deactivate" | "delete";
  readonly type: string;
  readonly key: string;
  readonly section: BoundSection;
  readonly #read: ReadResources;

  constructor({ type, key }: Named, section: BoundSection, read: ReadResources) {
    this.action = section.leavers === "delete" ? "delete" : "deactivate";
    this.type = type;
    this.key = key;
    this.section = section;
    this.#read = read;
  }

  get id(): string {
    return held(this.#read, this.key).id;
  }

  get before(): DynamicResource {
    return held(this.#read, this.key).before;
  }

  toJSON(): JsonObject {
    const { action, type, key, id } = this;
    return { action, type, key, id };
  }
}

/** What is planned of one type. */
interface StepsOfType {
  creates(): Iterable<PlanStep>;
  updates(): Iterable<PlanStep>;
  leavers(): Iterable<PlanStep>;
  readonly lists: { steps(): Iterable<PlanStep> };
}

/** The steps of all types: what is referred to comes before what refers to it, and goes after it. */
export class SpilledSteps implements PlanSteps {
  readonly #types: readonly StepsOfType[];
  readonly length: number;

  constructor(types: readonly StepsOfType[], length: number) {
    this.#types = types;
    this.length = length;
  }

  *[Symbol.iterator](): Generator<PlanStep, void, undefined> {
    for (const own of this.#types) {
      yield* own.creates();
      yield* own.updates();
    }
    for (const { lists } of this.#types) yield* lists.steps();
    for (const own of this.#types.toReversed()) yield* own.leavers();
  }

  toJSON(): readonly PlanStep[] {
    return [...this];
  }
}
