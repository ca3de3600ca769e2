/**
 * The bytes of a file or a pipe, from its beginning to its end.
 * @module
 */
import { closeSync, constants, createReadStream, fstatSync, openSync, statSync, type Stats } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import { addAbortSignal } from "node:stream";

/** A file cannot be read to its end; the message says why, for people. */
export class FileReadError extends Error {
  override readonly name = "FileReadError";

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/**
 * What is read at once. Between two pieces the event loop comes to its turn: while thousands of records are gone through
 * without one, V8 cannot end the collection of garbage that it has begun, and takes new memory instead.
 */
const PIECE_BYTES = 65_536;

/** What stands for standard input in the place of a path. */
const STANDARD_INPUT = "-";

/**
 * Reads a file, or a pipe such as `/dev/stdin` or what a shell makes of `<(…)`, piece by piece. A pipe is opened once: what
 * comes through it comes once. A pipe that nobody writes to is waited for.
 * @param path of the file; `-` is standard input
 * @param signal ends it, also while nothing comes; what is thrown then is the reason of the abort, or its own error
 * @throws {@link FileReadError} where it cannot be read, or changed meanwhile, so that what was read is no state of it
 */
export async function* readFilePieces(
  path: string,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    if (path === STANDARD_INPUT) yield* ofStandardInput(signal);
    else yield* statSync(path).isFIFO() ? ofPipe(path, signal) : ofFile(path, signal);
  } catch (cause) {
    if (signal?.aborted === true || cause instanceof FileReadError || !isSystemError(cause)) throw cause;
    const name = path === STANDARD_INPUT ? "Standard input" : path;
    throw new FileReadError(`${name} cannot be read: ${cause.message}.`, cause);
  }
}

async function* ofStandardInput(signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  const stream = signal === undefined ? process.stdin : addAbortSignal(signal, process.stdin);
  yield* stream as AsyncIterable<Buffer>;
}

/** Opened and read without waiting in a thread: one that waits for a writer keeps the process from its end. */
async function* ofPipe(path: string, signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false, ...(signal !== undefined && { signal }) });
  yield* socket as AsyncIterable<Buffer>;
}

async function* ofFile(path: string, signal?: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  // The stream closes its own when it may.
  const file = openSync(path, constants.O_RDONLY);
  try {
    const before = fstatSync(file);
    const stream = createReadStream(path, {
      highWaterMark: PIECE_BYTES,
      ...(signal !== undefined && { signal }),
    });
    yield* stream as AsyncIterable<Buffer>;
    if (before.isFile()) requireSame(path, before, fstatSync(file));
  } finally {
    closeSync(file);
  }
}

function isSystemError(cause: unknown): cause is Error {
  return cause instanceof Error && "syscall" in cause;
}

function requireSame(path: string, before: Stats, after: Stats): void {
  if (before.size === after.size && before.mtimeMs === after.mtimeMs) return;
  throw new FileReadError(
    `${path} changed while it was read, so that records of it may be missing: run the same command again once nobody writes to it.`,
  );
}
