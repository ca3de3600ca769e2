/**
 * What becomes of the lists of references of one type, such as the members of groups. A list may be as long as there are
 * resources: they stand outside memory until somebody looks at them.
 * @module
 */
import type { BoundReference } from "../mapping/bind.ts";
import type { SpillFile } from "../spill/spill-file.ts";
import { jsonForm, SpilledMap } from "../spill/spilled-map.ts";
import type { JsonObject, JsonValue } from "@scim/schemas";
import type { ReferencesStep } from "./plan.ts";
import { AskedStep, held, type DesiredByKey, type Named } from "./spilled-steps.ts";

/** What is added to a list of a resource, and removed. */
export interface ListChange extends Pick<ReferencesStep, "id" | "add" | "remove"> {
  /** Which of the section's references it is. */
  readonly at: number;
}

/** The lists of one type. */
export class ListChanges {
  readonly #type: string;
  readonly #asked: DesiredByKey;
  readonly #changes: SpilledMap<readonly ListChange[]>;
  readonly #ids: SpilledMap<readonly string[]>;

  constructor(type: string, asked: DesiredByKey, file: SpillFile) {
    this.#type = type;
    this.#asked = asked;
    this.#changes = new SpilledMap(file, jsonForm());
    this.#ids = new SpilledMap(file, jsonForm());
  }

  /**
   * Takes in what becomes of the lists of a resource.
   * @param ids ids that they hold where the plan leaves them
   */
  set(key: string, changes: readonly ListChange[], ids: readonly string[]): void {
    if (changes.length > 0) this.#changes.set(key, changes);
    if (ids.length > 0) this.#ids.set(key, ids);
  }

  /** Ids that the lists of a resource hold where the plan leaves them. */
  ids(key: string): readonly string[] {
    return this.#ids.get(key) ?? [];
  }

  /** Whether a list of a resource changes. */
  isChanged(key: string): boolean {
    return this.#changes.has(key);
  }

  *steps(): Generator<ReferencesStep, void, undefined> {
    for (const [key, changes] of this.#changes)
      for (const { at } of changes)
        yield new ReferencesChange({ type: this.#type, key }, this.#asked, { changes: this.#changes, at });
  }
}

/** References that are added to a resource, or removed. */
class ReferencesChange extends AskedStep implements ReferencesStep {
  readonly action = "references";
  readonly #changes: SpilledMap<readonly ListChange[]>;
  readonly #at: number;

  constructor(
    named: Named,
    asked: DesiredByKey,
    { changes, at }: { readonly changes: SpilledMap<readonly ListChange[]>; readonly at: number },
  ) {
    super(named, asked);
    this.#changes = changes;
    this.#at = at;
  }

  get id(): string | null {
    return this.#change.id;
  }

  get reference(): BoundReference {
    const found = this.desired.section.references[this.#at];
    if (found === undefined) throw new RangeError(`There is no list ${this.#at} of references.`);
    return found;
  }

  get add(): readonly string[] {
    return this.#change.add;
  }

  get remove(): readonly string[] {
    return this.#change.remove;
  }

  get #change(): ListChange {
    const found = held(this.#changes, this.key).find(({ at }) => at === this.#at);
    if (found === undefined)
      throw new RangeError(`Nothing changes in the list ${this.#at} of '${this.key}'.`);
    return found;
  }

  toJSON(): JsonObject {
    const { action, type, key, reference } = this;
    const { id, add, remove } = this.#change;
    const lists: Record<string, JsonValue> = { add, remove };
    return { action, type, key, id, path: reference.target.text, ...lists };
  }
}
