/**
 * Files of lines, read and written in pieces.
 * @module
 */
import { closeSync, fsyncSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const PIECE_BYTES = 262_144;

/** The lines of a file of UTF-8; what follows the last line end is one too. */
export function* linesOf(path: string): Generator<string, void, undefined> {
  const file = openSync(path, "r");
  try {
    const decoder = new StringDecoder("utf8");
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let rest = "";
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      const [first = "", ...others] = decoder.write(piece.subarray(0, read)).split("\n");
      // Looked through once each, since a line may hold a million references.
      rest += first;
      for (const line of others) {
        yield rest;
        rest = line;
      }
    }
    yield rest + decoder.end();
  } finally {
    closeSync(file);
  }
}

/** Writes a file anew, for its owner alone, and does not return before it is on the disk. What fails leaves no file. */
export function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, "w", 0o600);
  try {
    let text = "";
    for (const line of lines) {
      text += `${line}\n`;
      if (text.length < PIECE_BYTES) continue;
      write(file, text);
      text = "";
    }
    write(file, text);
    fsyncSync(file);
  } catch (cause) {
    // Where the disk is full, what is half written helps nobody.
    rmSync(path, { force: true });
    throw cause;
  } finally {
    closeSync(file);
  }
}

function write(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}
