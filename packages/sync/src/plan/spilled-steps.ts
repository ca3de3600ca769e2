/**
 * Steps of a plan whose resources stand in a pile of texts until somebody looks at them: a plan may change everybody.
 * As JSON, a step tells what it does, and not what it is made of.
 * @module
 */
import type { DynamicResource } from "@scim/client";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { BoundReference, BoundSection } from "../mapping/bind.ts";
import type { SpilledMap, TextForm } from "../spill/spilled-map.ts";
import { newResource, type Desired } from "./desired.ts";
import type { AttributeChange, CreateStep, LeaveStep, ReferencesStep, UpdateStep } from "./plan.ts";

/** What is asked for, by key. */
export type DesiredByKey = Pick<SpilledMap<Desired>, "get">;

/** What steps of one type are made of. */
interface Named {
  readonly type: string;
  readonly key: string;
}

function held<Value>(map: Pick<SpilledMap<Value>, "get">, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`Nothing is known of '${key}'.`);
  return value;
}

/** A step that a record asks for. */
class AskedStep {
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
    return { action, type, key, place: desired.place, resource: newResource(desired) };
  }
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

/** How a resource that was read stands in a pile of texts. */
export const READ_FORM: TextForm<ReadResource> = {
  write: JSON.stringify,
  // Written by `write`.
  read: (text) => JSON.parse(text) as ReadResource,
};

/** What resources that were read are kept in. */
export class ReadResources {
  readonly #spilled: SpilledMap<ReadResource>;
  /** Those of which the client alone knows the version: it knows that by the object. */
  readonly #whole = new Map<string, ReadResource>();

  constructor(spilled: SpilledMap<ReadResource>) {
    this.#spilled = spilled;
  }

  get size(): number {
    return this.#spilled.size + this.#whole.size;
  }

  *keys(): Generator<string, void, undefined> {
    yield* this.#spilled.keys();
    yield* this.#whole.keys();
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

/** What is added to a list, and removed. */
type ListChange = Pick<ReferencesStep, "id" | "reference" | "add" | "remove">;

/** References that are added to a resource, or removed. */
export class ReferencesChange extends AskedStep implements ReferencesStep {
  readonly action = "references";
  readonly #change: ListChange;

  constructor(named: Named, asked: DesiredByKey, change: ListChange) {
    super(named, asked);
    this.#change = change;
  }

  get id(): string | null {
    return this.#change.id;
  }

  get reference(): BoundReference {
    return this.#change.reference;
  }

  get add(): readonly string[] {
    return this.#change.add;
  }

  get remove(): readonly string[] {
    return this.#change.remove;
  }

  toJSON(): JsonObject {
    const { action, type, key, id, reference, add, remove } = this;
    const lists: Record<string, JsonValue> = { add, remove };
    return { action, type, key, id, path: reference.target.text, ...lists };
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
