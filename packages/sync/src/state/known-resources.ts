/**
 * The resources that a sync knows, by key and by id.
 * @module
 */
import { SpillFile } from "../spill/spill-file.ts";
import { jsonForm, SpilledMap, type ReadonlySpilledMap } from "../spill/spilled-map.ts";
import { KNOWN_FORM, type KnownResource } from "./known-resource.ts";

interface KnownOfType {
  readonly byKey: SpilledMap<KnownResource>;
  /** Keys by id. */
  readonly keys: SpilledMap<string>;
}

/** The resources that are known. */
export class KnownResources {
  readonly #file = new SpillFile();
  readonly #types = new Map<string, KnownOfType>();

  /** Those of a type, by key. */
  ofType(type: string): ReadonlySpilledMap<KnownResource> {
    return this.#ofType(type).byKey;
  }

  /** The key of a resource. */
  keyOf(type: string, id: string): string | undefined {
    return this.#ofType(type).keys.get(id);
  }

  /** Takes a resource in, in the place of what was known of its key. */
  put(type: string, key: string, resource: KnownResource): void {
    const { byKey, keys } = this.#ofType(type);
    const before = byKey.get(key);
    if (before !== undefined && before.id !== resource.id) this.drop(type, key);
    byKey.set(key, resource);
    if (before?.id !== resource.id || keys.get(resource.id) !== key) keys.set(resource.id, key);
  }

  /** Forgets the resource of a key. */
  drop(type: string, key: string): void {
    const { byKey, keys } = this.#ofType(type);
    const before = byKey.get(key);
    if (before === undefined) return;
    byKey.delete(key);
    if (keys.get(before.id) === key) keys.delete(before.id);
  }

  /** All of them. */
  *[Symbol.iterator](): Generator<readonly [type: string, key: string, resource: KnownResource]> {
    for (const [type, { byKey }] of this.#types)
      for (const [key, resource] of byKey) yield [type, key, resource];
  }

  #ofType(type: string): KnownOfType {
    const found = this.#types.get(type);
    if (found !== undefined) return found;
    const made = {
      byKey: new SpilledMap(this.#file, KNOWN_FORM),
      keys: new SpilledMap(this.#file, jsonForm<string>()),
    };
    this.#types.set(type, made);
    return made;
  }
}
