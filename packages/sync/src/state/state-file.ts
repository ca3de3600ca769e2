/**
 * The file of a state: JSON lines, the first of which says whose state it is. It grows while changes are made, so that a
 * run that is killed goes on where it was, and is written anew at the end of a run.
 * @module
 */
import { appendFileSync, closeSync, existsSync, openSync, renameSync, statSync } from "node:fs";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { textOr } from "./known-resource.ts";
import { linesOf, writeLines } from "./lines.ts";
import { StateError, unreadable, unwritable } from "./state-error.ts";
import { lockState, type StateLock } from "./state-lock.ts";

const VERSION = 1;

/** Whose resources a state knows. */
export interface StateOwner {
  /** Base address of the target. */
  readonly target: string;
  /** The tenant of the target, where several are behind one address; null where nothing tells. */
  readonly tenant: string | null;
}

/** A file of lines that one run at a time writes. */
export class StateFile {
  readonly #path: string;
  readonly #target: string;
  readonly #tenant: string | null;
  #appending: number | null = null;
  #lock: StateLock | null = null;
  /** When the file was changed before it was read; null where it was not there. */
  #readAt: number | null = null;

  /** @param owner the target that the state belongs to */
  constructor(path: string, { target, tenant }: StateOwner) {
    this.#path = path;
    this.#target = target;
    this.#tenant = tenant;
  }

  /**
   * The lines behind the first; none where there is no file.
   * @throws {@link StateError} where it cannot be read, or is the state of something else
   */
  *read(): Generator<JsonObject, void, undefined> {
    try {
      this.#readAt = changedAt(this.#path);
      if (this.#readAt === null) return;
      this.#requireFile();
      let isFirst = true;
      for (const line of linesOf(this.#path)) {
        // A line that a crash cut off says nothing: what it told is found out again.
        const entry = line === "" ? null : parsed(line);
        if (isFirst) this.#check(entry);
        else if (entry !== null) yield entry;
        isFirst = false;
      }
    } catch (cause) {
      // A line that is longer than any text was written by nobody.
      if (cause instanceof RangeError) throw this.#noState(cause);
      throw isSystemError(cause) ? unreadable(this.#path, cause) : cause;
    }
  }

  /**
   * Keeps other runs from using it until it is closed.
   * @throws {@link StateError} where another run uses it, or has changed it since it was read
   */
  lock(): void {
    this.#lock ??= lockState(this.#path);
    if (changedAt(this.#path) === this.#readAt) return;
    throw new StateError(
      "inUse",
      `Another run has changed ${this.#path} since this one planned: plan again.`,
    );
  }

  /**
   * Adds a line at once.
   * @throws {@link StateError} where it cannot be written
   */
  append(line: JsonObject): void {
    try {
      this.#appending ??= this.#beginAppending();
      appendFileSync(this.#appending, `${JSON.stringify(line)}\n`);
    } catch (cause) {
      throw unwritable(this.#path, cause);
    }
  }

  /**
   * Writes the file anew, with these lines behind the first.
   * @throws {@link StateError} where it cannot be; the file is what it was
   */
  rewrite(lines: Iterable<JsonObject>): void {
    this.#endAppending();
    const made = `${this.#path}.new`;
    try {
      writeLines(made, this.#withHeader(lines));
      renameSync(made, this.#path);
    } catch (cause) {
      throw isSystemError(cause) ? unwritable(made, cause) : cause;
    }
    this.#readAt = changedAt(this.#path);
  }

  /** Lets others use it. */
  close(): void {
    this.#endAppending();
    this.#lock?.release();
    this.#lock = null;
  }

  #endAppending(): void {
    if (this.#appending !== null) closeSync(this.#appending);
    this.#appending = null;
  }

  #beginAppending(): number {
    // Empty, or a line that a crash cut off: begin on a line of its own.
    const isNew = !existsSync(this.#path);
    const file = openSync(this.#path, "a", 0o600);
    appendFileSync(file, isNew ? `${this.#header}\n` : "\n");
    return file;
  }

  get #header(): string {
    const tenant = this.#tenant === null ? {} : { tenant: this.#tenant };
    return JSON.stringify({ scimSync: VERSION, target: this.#target, ...tenant });
  }

  *#withHeader(lines: Iterable<JsonObject>): Generator<string, void, undefined> {
    yield this.#header;
    for (const line of lines) yield JSON.stringify(line);
  }

  /** A device or a pipe may have no end, and is not written anew. */
  #requireFile(): void {
    const found = statSync(this.#path);
    if (!found.isFile() && !found.isDirectory())
      throw new StateError(
        "otherState",
        `${this.#path} is no file, as the state of a sync is: name another.`,
      );
  }

  #noState(cause?: unknown): StateError {
    const message = `${this.#path} is no state of a sync: name another file, or remove it.`;
    return new StateError("otherState", message, cause);
  }

  #check(header: JsonObject | null): void {
    if (header?.["scimSync"] !== VERSION) throw this.#noState();
    if (header["target"] !== this.#target)
      throw new StateError(
        "otherState",
        `${this.#path} belongs to ${textOr(header["target"], "another service")}, not to ${this.#target}: give each target a state of its own.`,
      );
    // States of earlier releases do not say.
    const { tenant } = header;
    if (typeof tenant === "string" && this.#tenant !== null && tenant !== this.#tenant)
      throw new StateError(
        "otherState",
        `${this.#path} belongs to the tenant '${tenant}' of ${this.#target}, not to '${this.#tenant}': give each tenant a state of its own.`,
      );
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
    // JSON gives JSON.
    const value = JSON.parse(line) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
