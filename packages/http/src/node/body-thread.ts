/**
 * The program of a thread that reads bodies: one at a time.
 * @module
 */
import { constants, getPriority, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { createBodyReader, type CollectionReader } from "@scim/core";
import { isScimError, type ScimError } from "@scim/schemas";
import { notUtf8 } from "../json/refusals.ts";
import { JsonSplitter } from "../long-body/json-splitter.ts";
import type { BodyReply, BodyRequest, BodyStart, ReadBatch, ReadBody, SentError } from "./thread-messages.ts";

/** How far reading stands back where requests want the processor (nice value). */
const NICENESS = 10;

// Elsewhere the priority is that of the whole process, from which the thread has its own: nobody but root may come before that.
if (process.platform === "linux")
  setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));

/** One body. */
class Reading {
  readonly #splitter: JsonSplitter;
  // A byte order mark at the start is dropped.
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  readonly #collections: CollectionReader[] = [];
  #batches: ReadBatch[] = [];
  #notUtf8: ScimError | null = null;

  constructor({ reading, maxDepth, maxHeld }: BodyStart) {
    const reader = createBodyReader(reading);
    this.#splitter = new JsonSplitter({
      maxDepth,
      maxHeld,
      openList: (names) => {
        const collection = reader.collection(names);
        if (collection === null) return null;
        this.#collections.push(collection);
        return (values) => {
          const batch = collection.read(values);
          if (batch !== null) this.#batches.push({ path: collection.path, batch });
        };
      },
    });
  }

  read(bytes?: Uint8Array): readonly ReadBatch[] {
    this.#batches = [];
    const text = this.#decode(bytes);
    if (this.#notUtf8 === null) this.#splitter.write(text);
    return this.#batches;
  }

  /** The last bytes may be the beginning of a character. */
  end(): ReadBody {
    this.read();
    if (this.#notUtf8 !== null) throw this.#notUtf8;
    const { rest, lists } = this.#splitter.end();
    return {
      rest,
      lists: this.#collections.map((collection, index) => {
        const { unreadable, invalid, ...found } = collection.found();
        return {
          list: lists[index] ?? null,
          found: { ...found, unreadable: sent(unreadable), invalid: sent(invalid) },
        };
      }),
    };
  }

  #decode(bytes: Uint8Array | undefined): string {
    if (this.#notUtf8 !== null) return "";
    try {
      return bytes === undefined ? this.#utf8.decode() : this.#utf8.decode(bytes, { stream: true });
    } catch (cause) {
      this.#notUtf8 = notUtf8(cause);
      return "";
    }
  }
}

let reading: Reading | null = null;

function answer(request: BodyRequest): BodyReply {
  if (request.kind === "begin") {
    reading = new Reading(request.start);
    return { kind: "read", batches: [] };
  }
  if (reading === null) throw new TypeError("No body was begun");
  if (request.kind === "bytes") return { kind: "read", batches: reading.read(request.bytes) };
  const body = reading.end();
  reading = null;
  return { kind: "done", body };
}

function reply(request: BodyRequest): BodyReply {
  try {
    return answer(request);
  } catch (error) {
    if (isScimError(error)) return { kind: "refused", error: { code: error.code, detail: error.detail } };
    return {
      kind: "failed",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

function sent(error: ScimError | null): SentError | null {
  return error === null ? null : { code: error.code, detail: error.detail };
}

parentPort?.on("message", (request: BodyRequest) => parentPort?.postMessage(reply(request), []));
