/**
 * What a sync remembers: which resource belongs to which record, and what was applied last. A file of JSON lines that
 * grows while changes are made, so that a run that is killed goes on where it was; written anew at the end of a run.
 * @module
 */
import { appendFileSync, closeSync, existsSync, openSync, renameSync, statSync } from "node:fs";
import type { ReadonlySpilledMap } from "../spill/spilled-map.ts";
import { knownOf, lineOf, textOr, type KnownResource } from "./known-resource.ts";
import { KnownResources } from "./known-resources.ts";
import { linesOf, writeLines } from "./lines.ts";
import { StateError, unreadable, unwritable } from "./state-error.ts";
import { lockState, type StateLock } from "./state-lock.ts";
import { triedLine, TriedCreations, type TriedCreation } from "./tried-creations.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** The end of a run that was applied to its end. */
export interface FinishedRun {
  /** Fingerprint of the mapping. */
  readonly mapping: string;
  /** Instant by the target's clock from which on changes of the target are unknown; null where it tells none. */
  readonly since: string | null;
  /** Instant by the target's clock at the end. */
  readonly until: string | null;
  /** Number of resources of each type at the end; null where the target does not count. */
  readonly totals: Readonly<Record<string, number>>;
  /** Types of which the target holds no resource that the sync does not know; states of earlier releases do not say. */
  readonly alone?: readonly string[];
  /** Tokens by source. */
  readonly tokens: Readonly<Record<string, string>>;
}

const VERSION = 1;

/** What a sync remembers. */
export class SyncState {
  readonly #path: string | null;
  readonly #known = new KnownResources();
  readonly #tried = new TriedCreations();
  #finished: FinishedRun | null = null;
  #appending: number | null = null;
  #lock: StateLock | null = null;
  /** When the file was changed before it was read; null where it was not there. */
  #readAt: number | null = null;
  readonly #target: string;

  private constructor(path: string | null, target: string) {
    this.#path = path;
    this.#target = target;
  }

  /** A state in memory alone. */
  static inMemory(target: string): SyncState {
    return new SyncState(null, target);
  }

  /**
   * Reads a state; a file that is not there is an empty one.
   * @param target base address of the target, which a state belongs to
   * @throws {@link StateError}
   * @throws {@link TemporaryFileError}
   */
  static read(path: string, target: string): SyncState {
    const state = new SyncState(path, target);
    try {
      state.#readAt = changedAt(path);
      if (state.#readAt !== null) state.#load(linesOf(path));
    } catch (cause) {
      throw isSystemError(cause) ? unreadable(path, cause) : cause;
    }
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
  get tried(): Pick<TriedCreations, "keyOf" | "keys"> {
    return this.#tried;
  }

  /**
   * Remembers at once that a resource is about to be created, until it is known what became of that.
   * @throws {@link StateError} where the file cannot be written
   */
  try(tried: TriedCreation): void {
    this.#tried.add(tried);
    this.#append(triedLine(tried));
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
    this.#append(lineOf(resource, { type, key }));
  }

  /**
   * Forgets a resource at once.
   * @throws {@link StateError} where the file cannot be written
   */
  drop(type: string, key: string): void {
    this.#drop(type, key);
    this.#append({ type, key, gone: true });
  }

  /**
   * Changes are about to be made: until {@link finish}, the run counts as broken off.
   * @throws {@link StateError} where another run uses the file, or it cannot be written
   */
  begin(): void {
    if (this.#path !== null) {
      this.#lock ??= lockState(this.#path);
      if (changedAt(this.#path) !== this.#readAt)
        throw new StateError(
          "inUse",
          `Another run has changed ${this.#path} since this one planned: plan again.`,
        );
    }
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
    this.#closeFile();
    if (this.#path === null) return;
    const made = `${this.#path}.new`;
    try {
      writeLines(made, this.#lines());
      renameSync(made, this.#path);
    } catch (cause) {
      throw isSystemError(cause) ? unwritable(made, cause) : cause;
    }
    this.#readAt = changedAt(this.#path);
  }

  *#lines(): Generator<string, void, undefined> {
    yield JSON.stringify({ scimSync: VERSION, target: this.#target });
    for (const [type, key, resource] of this.#known) yield JSON.stringify(lineOf(resource, { type, key }));
    for (const line of this.#tried.lines()) yield JSON.stringify(line);
    if (this.#finished !== null) yield JSON.stringify({ finished: this.#finished });
  }

  /** Closes the file, and lets others use it. */
  close(): void {
    this.#closeFile();
    this.#lock?.release();
    this.#lock = null;
  }

  #closeFile(): void {
    if (this.#appending !== null) closeSync(this.#appending);
    this.#appending = null;
  }

  #append(line: JsonObject): void {
    if (this.#path === null) return;
    try {
      this.#appending ??= this.#beginAppending(this.#path);
      appendFileSync(this.#appending, `${JSON.stringify(line)}\n`);
    } catch (cause) {
      throw unwritable(this.#path, cause);
    }
  }

  #beginAppending(path: string): number {
    // Empty, or a line that a crash cut off: begin on a line of its own.
    const isNew = !existsSync(path);
    const file = openSync(path, "a", 0o600);
    appendFileSync(file, isNew ? `${JSON.stringify({ scimSync: VERSION, target: this.#target })}\n` : "\n");
    return file;
  }

  #put(type: string, key: string, resource: KnownResource): void {
    this.#tried.delete(type, key);
    this.#known.put(type, key, resource);
  }

  #drop(type: string, key: string): void {
    this.#tried.delete(type, key);
    this.#known.drop(type, key);
  }

  #load(lines: Iterable<string>): void {
    let isFirst = true;
    for (const line of lines) {
      // A line that a crash cut off says nothing: what it told is found out again.
      const entry = line === "" ? null : parsed(line);
      if (isFirst) this.#check(entry);
      else if (entry !== null) this.#take(entry);
      isFirst = false;
    }
  }

  #check(header: JsonObject | null): void {
    if (header?.["scimSync"] !== VERSION)
      throw new StateError(
        "otherState",
        `${this.#path ?? ""} is no state of a sync: name another file, or remove it.`,
      );
    if (header["target"] !== this.#target)
      throw new StateError(
        "otherState",
        `${this.#path ?? ""} belongs to ${textOr(header["target"], "another service")}, not to ${this.#target}: give each target a state of its own.`,
      );
  }

  #take(entry: JsonObject): void {
    const { type, key, tried, finished } = entry;
    if (isJsonObject(finished)) {
      // Written by `save`.
      this.#finished = finished as unknown as FinishedRun;
      return;
    }
    this.#finished = null;
    if (typeof type !== "string" || typeof key !== "string") return;
    if (entry["gone"] === true) this.#drop(type, key);
    else if (typeof tried === "string") this.#tried.add({ type, key, match: tried });
    else {
      const known = knownOf(entry);
      if (known !== null) this.#put(type, key, known);
    }
  }
}

/** Whether the operating system refused something: what is kept aside meanwhile has errors of its own. */
function isSystemError(cause: unknown): cause is Error {
  return cause instanceof Error && "syscall" in cause;
}

/** When a file was changed last; null where there is none. */
function changedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function parsed(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    // JSON gives JSON.
    return isJsonObject(value as JsonValue) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}
