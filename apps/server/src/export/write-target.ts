/**
 * Where an export goes: a file that never stands there half-done, or standard output.
 * @module
 */
import { createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CommandFailure, EXIT } from "../failure.ts";
import { flushFolder } from "../folders.ts";
import { stoppable } from "../stop-on-signals.ts";

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

/**
 * Writes pieces of text. A file bears its name once all is there; only its owner may read it: it holds personal data.
 * Where a signal ends it, nothing stays of the file; a second one ends the process as usual.
 * @throws CommandFailure where the file exists or cannot be written, another process writes it, or a signal ended it
 */
export async function writeTarget(target: string, pieces: AsyncIterable<string>): Promise<void> {
  if (target === "-") {
    for await (const chunk of chunksOf(pieces)) await writeOut(chunk);
    return;
  }
  refuseExisting(target);
  await stoppable((signal) => writeFile(target, pieces, signal));
}

async function writeFile(target: string, pieces: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  const text = Readable.from(chunksOf(pieces), { objectMode: true });
  const partial = `${target}.partial`;
  try {
    await pipeline(text, createWriteStream(partial, { mode: 0o600, flags: "wx", flush: true }), { signal });
    // It may have been made meanwhile.
    refuseExisting(target);
    renameSync(partial, target);
    flushFolder(dirname(target));
  } catch (error) {
    if (isOfAnother(error))
      throw new CommandFailure(
        EXIT.failed,
        `${partial} exists: another export writes it, or one was killed. Wait for it, or remove the file; or name another.`,
        error,
      );
    rmSync(partial, { force: true });
    if (signal.aborted)
      throw new CommandFailure(EXIT.failed, `Stopped before the end: ${target} was not written.`, error);
    throw unwritable(target, error) ?? error;
  }
}

function isOfAnother(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

/** What is told where the system refuses to write a file; null where the work behind it failed. */
function unwritable(target: string, error: unknown): CommandFailure | null {
  if (!(error instanceof Error) || !("syscall" in error)) return null;
  return new CommandFailure(EXIT.failed, `${target} cannot be written: ${error.message}.`, error);
}

/** Resolves when the text has gone out: what is exported never waits in memory for a slow reader. */
function writeOut(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error instanceof Error ? reject(error) : resolve()));
  });
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
