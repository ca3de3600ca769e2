/**
 * Undoes the content coding of an answer (RFC 9110 §8.4), never beyond a bound: a small answer may be made to grow
 * without end.
 * @module
 */
import { constants } from "node:buffer";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { tooLarge } from "../transport/answer-bytes.ts";
import { TransportFailure } from "../transport/port.ts";

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const CODINGS: ReadonlyMap<string, Decompress> = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
  ["identity", async (bytes: Uint8Array) => bytes],
]);

/**
 * The bytes as they were before they were compressed.
 * @param most greatest number of bytes that may come out
 * @throws {@link TransportFailure} `tooLarge`, `cutOff`, `unreadable`
 */
export async function uncompressed(bytes: Uint8Array, coding: string, most: number): Promise<Uint8Array> {
  const decompress = CODINGS.get(coding.trim().toLowerCase());
  if (decompress === undefined) {
    throw new TransportFailure("unreadable", "The answer has a content coding that was not asked for.");
  }
  try {
    return await decompress(bytes, { maxOutputLength: Math.min(most, constants.MAX_LENGTH) });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(most);
    if (code === "Z_BUF_ERROR")
      throw new TransportFailure("cutOff", "The compressed answer ends too early.", error);
    throw new TransportFailure("unreadable", "The compressed answer is damaged.", error);
  }
}
