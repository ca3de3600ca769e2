/**
 * Small files of text that arguments and settings name: documents, mappings, queries, secrets.
 * @module
 */
import { closeSync, openSync, readSync } from "node:fs";
import { CommandFailure, EXIT } from "./failure.ts";

/** The greatest such file, in bytes (64 MiB): a device may have no end. */
const MOST_BYTES = 67_108_864;
/** What is read before there is need for more room, in bytes (64 KiB): a pipe tells no size. */
const ROOM_BYTES = 65_536;

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

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
    return UTF_8.decode(bytes);
  } catch (cause) {
    throw new TypeError("it is no text in UTF-8", { cause });
  } finally {
    // It may be a secret.
    bytes.fill(0);
  }
}

/** Room for most of them, used again and again: hundreds of documents are read at once. */
const ROOM = Buffer.alloc(ROOM_BYTES);

/** The bytes of a file, until the next one is read. */
function bytesOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    let bytes = ROOM;
    for (let length = 0; ;) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
      if (length > MOST_BYTES) throw new RangeError(`it has more than ${MOST_BYTES} bytes`);
      if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length);
    }
  } finally {
    closeSync(file);
  }
}
