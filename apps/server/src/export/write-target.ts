/**
 * Where an export goes: a file that never stands there half-done, or standard output.
 * @module
 */
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import process from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandFailure, EXIT } from "../failure.ts";

/** Text that is written at once, in characters. */
const CHUNK = 65_536;

/**
 * Looks before the work begins: `-`, standard output, is always there to be written to.
 * @throws CommandFailure where the file exists
 */
export function refuseExisting(target: string): void {
  if (target !== "-" && existsSync(target))
    throw new CommandFailure(EXIT.failed, `${target} exists: name another file, or remove it.`);
}

/** Writes pieces of text. A file bears its name once all is there; only its owner may read it: it holds personal data. */
export async function writeTarget(target: string, pieces: AsyncIterable<string>): Promise<void> {
  const text = Readable.from(chunksOf(pieces), { objectMode: true });
  if (target === "-") return pipeline(text, process.stdout, { end: false });
  const partial = `${target}.partial`;
  try {
    await pipeline(text, createWriteStream(partial, { mode: 0o600, flags: "w", flush: true }));
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

async function* chunksOf(pieces: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let chunk = "";
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}
