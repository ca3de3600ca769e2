/**
 * Reads a body that is too long to be held in memory: a thread reads it, its values are staged as they come, and no
 * more is taken from the client than both keep up with.
 * @module
 */
import type { FoundReferences, LongBody } from "@scim/core";
import { ScimError, type JsonValue } from "@scim/schemas";
import type { LongBodySource, ReadLongBody } from "../long-body/read-long-body.ts";
import type { BodyThread } from "./body-threads.ts";
import { ReadAhead } from "./read-ahead.ts";
import type { BodyReply, ReadBatch, SentError, SentFound } from "./thread-messages.ts";

/** Bytes that a thread is sent at once, so that the way there does not count. */
const SENT_BYTES = 262_144;

/** Reads a body to its end, by a thread that reads nothing else. */
export async function readWith(thread: BodyThread, source: LongBodySource): Promise<ReadLongBody> {
  const body = new ReadAhead(source.next);
  try {
    await body.caughtUp();
    return await readPieces(thread, source, body);
  } finally {
    body.stop();
  }
}

async function readPieces(
  thread: BodyThread,
  { open, limits, signal }: LongBodySource,
  body: ReadAhead,
): Promise<ReadLongBody> {
  signal?.throwIfAborted();
  const long = await open();
  const start = { reading: long.reading, maxDepth: limits.jsonDepth, maxHeld: limits.bodyBytes };
  let asked = awaitedLater(thread.ask({ kind: "begin", start }));
  // While values are staged, the thread reads the next.
  for await (const bytes of gathered(() => body.next())) {
    const reply = await asked;
    asked = awaitedLater(thread.ask({ kind: "bytes", bytes }));
    await stageAll(long, batchesOf(reply));
  }
  await stageAll(long, batchesOf(await asked));
  const reply = await thread.ask({ kind: "end" });
  if (reply.kind !== "done") throw failure(reply);
  const lists = new Map<JsonValue, FoundReferences>(
    reply.body.lists.map(({ list, found }) => [list, received(found)]),
  );
  return { body: reply.body.rest, staged: { stage: long.target, lists } };
}

/** What fails is told to whoever waits for it, if anybody comes to. */
function awaitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

async function stageAll(long: LongBody, batches: readonly ReadBatch[]): Promise<void> {
  for (const { path, batch } of batches) await long.stage(path, batch);
}

function batchesOf(reply: BodyReply): readonly ReadBatch[] {
  if (reply.kind === "read") return reply.batches;
  throw failure(reply);
}

function failure(reply: BodyReply): Error {
  if (reply.kind === "refused") return scimError(reply.error);
  return new Error(`The body could not be read: ${reply.kind === "failed" ? reply.message : reply.kind}`);
}

function received({ unreadable, invalid, ...found }: SentFound): FoundReferences {
  return {
    ...found,
    unreadable: unreadable === null ? null : scimError(unreadable),
    invalid: invalid === null ? null : scimError(invalid),
  };
}

function scimError({ code, detail }: SentError): ScimError {
  return new ScimError(code, detail);
}

/** Larger pieces, each with bytes of its own. */
async function* gathered(
  next: LongBodySource["next"],
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for (let piece = await next(); piece !== null; piece = await next()) {
    parts.push(piece);
    length += piece.length;
    if (length < SENT_BYTES) continue;
    yield concatenated(parts, length);
    parts = [];
    length = 0;
  }
  if (length > 0) yield concatenated(parts, length);
}

function concatenated(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
