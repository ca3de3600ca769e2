/**
 * The resources of a service that gives everybody whatever it is asked for: all of a type are read once, and not for each
 * record. Their ids and twelve bytes for each value are kept, not what else they hold. What is made on the way need not
 * be found: no two records of a file may mean one resource.
 * @module
 */
import { ServiceError, type DynamicResource, type DynamicShape, type ResourceClient } from "@scim/client";
import { SeenKeys } from "@scim/core";
import { foldedKey, holds, matchesOf, type Match } from "./matched-resource.ts";
import { wholeResource } from "./whole-resources.ts";

/** The resources of one type, by what they show. */
export class ListedResources {
  readonly #resources: ResourceClient<DynamicShape>;
  /** Everything, once somebody asks; null again where reading failed, so that the next one tries anew. */
  #whole: Promise<void> | null = null;
  readonly #keys = new SeenKeys();
  readonly #ids: string[] = [];
  /** Places of the ids that have a value as well, by that of the first. */
  readonly #others = new Map<number, number[]>();

  constructor(resources: ResourceClient<DynamicShape>) {
    this.#resources = resources;
  }

  async #read(): Promise<void> {
    for await (const each of this.#resources.list())
      this.#add(each.id, matchesOf(each, this.#resources.type));
  }

  #add(id: string, matches: readonly Match[]): void {
    const place = this.#ids.push(id);
    for (const match of matches) {
      const first = this.#keys.add(textOf(match), place);
      if (first === null) continue;
      const others = this.#others.get(first);
      if (others === undefined) this.#others.set(first, [place]);
      else others.push(place);
    }
  }

  /** Resources that have the value, as they are now: none, one, or two where there are several. */
  async with(match: Match): Promise<readonly DynamicResource[]> {
    this.#whole ??= this.#read().catch((cause: unknown) => {
      this.#whole = null;
      throw cause;
    });
    await this.#whole;
    const first = this.#keys.find(textOf(match));
    if (first === null) return [];
    const places = [first, ...(this.#others.get(first) ?? [])];
    const found: DynamicResource[] = [];
    for (const id of new Set(places.map((place) => this.#ids[place - 1] ?? ""))) {
      const there = await wholeResource(this.#resources, id).catch(gone);
      if (there !== null && holds(there, match)) found.push(there);
      if (found.length === 2) break;
    }
    return found;
  }
}

function gone(cause: unknown): null {
  if (cause instanceof ServiceError && cause.code === "notFound") return null;
  throw cause;
}

function textOf({ path, value }: Match): string {
  return JSON.stringify([path, foldedKey(value)]);
}
