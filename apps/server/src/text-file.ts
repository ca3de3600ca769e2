/**
 * Small files of text that arguments and settings name: documents, mappings, queries, secrets.
 * @module
 */
import { closeSync, openSync, readSync } from "node:fs";
import { CommandFailure, EXIT } from "./failure.ts";

/** The greatest such file, in bytes (64 MiB): a device may have no end. */
const MOST_BYTES = 67_108_864;
/** Bytes that are read at once. */
const PIECE_BYTES = 65_536;

/**
 * The text of a file that an argument names.
 * @param what it is called in a sentence, such as `The mapping`
 * @throws CommandFailure saying why it cannot be read
 */
export function readNamedFile(what: string, path: string): string {
  try {
    return readTextFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `${what} ${path} cannot be read: ${reason}.`, cause);
  }
}

/**
 * The text of a file, without a byte order mark. Pipes are read as well.
 * @throws Error whose message says why it cannot be read, without a full stop
 */
export function readTextFile(path: string): string {
  const bytes = bytesOf(path);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new TypeError("it is UTF-16, save it as UTF-8");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TypeError("it is no text in UTF-8", { cause });
  }
}

function bytesOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const pieces: Buffer[] = [];
    for (let read = 0; ;) {
      const piece = Buffer.alloc(PIECE_BYTES);
      const length = readSync(file, piece);
      if (length === 0) return Buffer.concat(pieces);
      read += length;
      if (read > MOST_BYTES) throw new RangeError(`it has more than ${MOST_BYTES} bytes`);
      pieces.push(piece.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
}
