/**
 * What a sync remembers: which resource belongs to which record, what was applied last, and which creations nobody knows
 * the outcome of.
 * @module
 */
import { isJsonObject, type JsonObject } from "@scim/schemas";
import type { ReadonlySpilledMap } from "../spill/spilled-map.ts";
import { finishedOf, type FinishedRun } from "./finished-run.ts";
import { knownOf, lineOf, type KnownResource } from "./known-resource.ts";
import { KnownResources } from "./known-resources.ts";
import { StateFile } from "./state-file.ts";
import { triedLine, TriedCreations, type TriedCreation } from "./tried-creations.ts";

/** What a sync remembers. */
export class SyncState {
  /** Null in memory alone. */
  readonly #file: StateFile | null;
  readonly #known = new KnownResources();
  readonly #tried = new TriedCreations();
  #finished: FinishedRun | null = null;

  private constructor(file: StateFile | null) {
    this.#file = file;
  }

  /** A state in memory alone. */
  static inMemory(): SyncState {
    return new SyncState(null);
  }

  /**
   * Reads a state; a file that is not there is an empty one.
   * @param target base address of the target, which a state belongs to
   * @param tenant the tenant of the target, where several are behind one address and it is known: the state belongs to it
   * @throws {@link StateError}
   * @throws {@link TemporaryFileError}
   */
  static read(path: string, target: string, tenant: string | null = null): SyncState {
    const file = new StateFile(path, { target, tenant });
    const state = new SyncState(file);
    for (const entry of file.read()) state.#take(entry);
    return state;
  }

  /** The run before, where it came to its end; null where it was broken off, or there was none. */
  get finished(): FinishedRun | null {
    return this.#finished;
  }

  /** The resources of a type that are known, by key. */
  known(type: string): ReadonlySpilledMap<KnownResource> {
    return this.#known.ofType(type);
  }

  /** The key of a resource that is known. */
  keyOf(type: string, id: string): string | undefined {
    return this.#known.keyOf(type, id);
  }

  /** Creations of which nobody knows what became of them. */
  get tried(): Pick<TriedCreations, "has" | "keyOf" | "keys"> {
    return this.#tried;
  }

  /**
   * Remembers at once that a resource is about to be created, until it is known what became of that.
   * @throws {@link StateError} where the file cannot be written
   */
  try(tried: TriedCreation): void {
    this.#tried.add(tried);
    this.#file?.append(triedLine(tried));
  }

  /** Remembers a resource when the file is written anew. */
  remember(type: string, key: string, resource: KnownResource): void {
    this.#put(type, key, resource);
  }

  /** Forgets a resource when the file is written anew. */
  forget(type: string, key: string): void {
    this.#drop(type, key);
  }

  /**
   * Remembers a resource at once.
   * @throws {@link StateError} where the file cannot be written
   */
  put(type: string, key: string, resource: KnownResource): void {
    this.#put(type, key, resource);
    this.#file?.append(lineOf(resource, { type, key }));
  }

  /**
   * Forgets a resource at once.
   * @throws {@link StateError} where the file cannot be written
   */
  drop(type: string, key: string): void {
    this.#drop(type, key);
    this.#file?.append({ type, key, gone: true });
  }

  /**
   * Changes are about to be made: until {@link finish}, the run counts as broken off.
   * @throws {@link StateError} where another run uses the file, or it cannot be written
   */
  begin(): void {
    this.#file?.lock();
    this.#finished = null;
    this.save();
  }

  /**
   * The run is at its end, and everything was applied. The file is written anew.
   * @throws {@link StateError} where it cannot be
   */
  finish(finished: FinishedRun): void {
    this.#finished = finished;
    this.save();
  }

  /**
   * Writes the file anew, without what is out of date.
   * @throws {@link StateError} where it cannot be; the file is what it was
   */
  save(): void {
    this.#file?.rewrite(this.#lines());
  }

  *#lines(): Generator<JsonObject, void, undefined> {
    for (const [type, key, resource] of this.#known) yield lineOf(resource, { type, key });
    yield* this.#tried.lines();
    if (this.#finished !== null) yield { finished: { ...this.#finished } };
  }

  /** Closes the file, and lets others use it. */
  close(): void {
    this.#file?.close();
  }

  #put(type: string, key: string, resource: KnownResource): void {
    this.#tried.delete(type, key);
    this.#known.put(type, key, resource);
  }

  #drop(type: string, key: string): void {
    this.#tried.delete(type, key);
    this.#known.drop(type, key);
  }

  #take(entry: JsonObject): void {
    const { type, key, tried, finished } = entry;
    this.#finished = isJsonObject(finished) ? finishedOf(finished) : null;
    if (typeof type !== "string" || typeof key !== "string") return;
    if (entry["gone"] === true) this.#drop(type, key);
    else if (typeof tried === "string") this.#tried.add({ type, key, match: tried });
    else {
      const known = knownOf(entry);
      if (known !== null) this.#put(type, key, known);
    }
  }
}
