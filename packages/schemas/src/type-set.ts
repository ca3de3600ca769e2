/**
 * Resource types by what documents name them by: with hundreds of them, to look through all for each would be the most of a start.
 * @module
 */
import type { ResourceTypeDefinition } from "./resource-type.ts";

/** Resource types, one of each name, in the order of adding. */
export class TypeSet {
  readonly #types: Map<string, ResourceTypeDefinition>;
  /** Lists are replaced, never changed: copies of the set share them. */
  readonly #byKey: Map<string, readonly ResourceTypeDefinition[]>;

  /** Makes a set that holds what another one holds; empty without one. */
  constructor(from?: TypeSet) {
    this.#types = new Map(from === undefined ? [] : from.#types);
    this.#byKey = new Map(from === undefined ? [] : from.#byKey);
  }

  get(name: string): ResourceTypeDefinition | undefined {
    return this.#types.get(name);
  }

  all(): readonly ResourceTypeDefinition[] {
    return [...this.#types.values()];
  }

  /** Those whose name is this one but for letter case. */
  named(name: string): readonly ResourceTypeDefinition[] {
    return this.#found(nameKey(name));
  }

  /** Those of an endpoint, whatever its letter case. */
  at(endpoint: string): readonly ResourceTypeDefinition[] {
    return this.#found(endpointKey(endpoint));
  }

  /** Those that show rows of the type of a name. */
  showing(name: string): readonly ResourceTypeDefinition[] {
    return this.#found(rowsKey(name));
  }

  /** Adds a type, or puts it in the place of the one of its name. */
  put(type: ResourceTypeDefinition): void {
    const before = this.#types.get(type.name);
    for (const key of before === undefined ? [] : keysOf(before))
      this.#byKey.set(
        key,
        this.#found(key).filter((each) => each !== before),
      );
    for (const key of keysOf(type)) this.#byKey.set(key, [...this.#found(key), type]);
    this.#types.set(type.name, type);
  }

  #found(key: string): readonly ResourceTypeDefinition[] {
    return this.#byKey.get(key) ?? [];
  }
}

const nameKey = (name: string): string => `name ${name.toLowerCase()}`;
const endpointKey = (endpoint: string): string => `endpoint ${endpoint.toLowerCase()}`;
const rowsKey = (name: string): string => `rows ${name}`;

/** What a type is found by. */
function keysOf({ name, endpoint, rowsOf }: ResourceTypeDefinition): readonly string[] {
  const keys = [nameKey(name), endpointKey(endpoint)];
  return rowsOf === undefined ? keys : [...keys, rowsKey(rowsOf.type)];
}
