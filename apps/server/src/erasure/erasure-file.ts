/**
 * The list of erasures as a file: JSON lines beside the database, so that who restores a backup of the database does not
 * take it back. It holds keyed hashes, and names nobody.
 * @module
 */
import { existsSync } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Erasure } from "@scim/events";
import { isJsonObject, type JsonValue } from "@scim/schemas";
import { CommandFailure, EXIT } from "../failure.ts";
import { flushFolder, makeFolder } from "../folders.ts";
import type { OpenedStore } from "../store/open-store.ts";
import type { Settings } from "../settings/table.ts";

const OWNER_ONLY = 0o600;

/** Where the list is: as the settings say, else in the folder of secrets; null where there is neither. */
export function erasureFile(
  settings: Pick<Settings, "erasureList" | "databaseUrl">,
  { folder }: Pick<OpenedStore, "folder">,
): string | null {
  if (settings.erasureList !== null) return settings.erasureList;
  const { databaseUrl } = settings;
  if (folder === null || (databaseUrl.kind === "sqlite" && databaseUrl.path === ":memory:")) return null;
  return join(folder.path, "erasures.jsonl");
}

/** The list cannot be written: nobody is erased of whom it does not tell. */
export class ErasureListUnwritten extends CommandFailure {
  constructor(path: string, cause: unknown) {
    super(EXIT.failed, `The list of erasures ${path} cannot be written.`, cause);
  }
}

/**
 * Adds an entry; it is on the disk when the promise resolves.
 * @throws ErasureListUnwritten
 */
export async function noteErasure(path: string, { tenant, subject, key, at }: Erasure): Promise<void> {
  try {
    makeFolder(dirname(path));
    const file = await open(path, "a+", OWNER_ONLY);
    try {
      await endLastLine(path, file);
      await file.appendFile(`${JSON.stringify({ tenant, subject, key, at })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    flushFolder(dirname(path));
  } catch (cause) {
    throw new ErasureListUnwritten(path, cause);
  }
}

/** More bytes than an entry has. */
const TAIL = 4096;
/** Milliseconds after which an entry that another process writes is whole for sure. */
const WRITTEN_MS = 50;

/**
 * Takes away what a full disk or a loss of power left of an entry: nobody was told that it is on the list. Line feeds take its
 * place, and nothing is cut off: behind it may stand already what somebody else adds at this moment.
 */
async function endLastLine(path: string, file: FileHandle): Promise<void> {
  for (let left = await leftOf(file); left.text !== "";) {
    if (!isCutOff(left.text)) {
      await file.appendFile("\n");
      return;
    }
    await delay(WRITTEN_MS);
    const later = await leftOf(file);
    if (later.at === left.at && later.text === left.text) return blank(path, left);
    left = later;
  }
}

/** What stands behind the last line feed. */
interface LastLine {
  /** Where it begins, in bytes. */
  readonly at: number;
  readonly text: string;
}

async function leftOf(file: FileHandle): Promise<LastLine> {
  const { size } = await file.stat();
  const from = Math.max(0, size - TAIL);
  const { buffer } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  const begin = buffer.lastIndexOf("\n") + 1;
  return { at: from + begin, text: buffer.toString("utf8", begin) };
}

async function blank(path: string, { at, text }: LastLine): Promise<void> {
  // A file that is open for adding is written to at its end alone.
  const file = await open(path, "r+");
  try {
    const length = Buffer.byteLength(text);
    await file.write(Buffer.alloc(length, "\n"), 0, length, at);
  } finally {
    await file.close();
  }
}

const BEGINNING = '{"tenant":"';

/** Whether a text is an entry without its end. */
function isCutOff(text: string): boolean {
  return (
    erasureIn(text) === null && BEGINNING.startsWith(text.slice(0, BEGINNING.length)) && !text.endsWith("}")
  );
}

/**
 * The entries of the list that is added to; none where there is no file. A last line that is cut off is no entry: nothing
 * of whom it was to name is erased yet.
 * @throws CommandFailure where it cannot be read, or holds something else
 */
export async function readNotedErasures(path: string): Promise<readonly Erasure[]> {
  if (!existsSync(path)) return [];
  const text = await textOf(path);
  const begin = text.lastIndexOf("\n") + 1;
  return entriesIn(isCutOff(text.slice(begin)) ? text.slice(0, begin) : text, path);
}

/**
 * The entries of a list that somebody kept; none where there is no file.
 * @throws CommandFailure where it cannot be read, holds something else, or is cut off
 */
export async function readErasureFile(path: string): Promise<readonly Erasure[]> {
  return existsSync(path) ? entriesIn(await textOf(path), path) : [];
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.failed, `The list of erasures ${path} cannot be read: ${reason}.`, cause);
  }
}

function entriesIn(text: string, path: string): readonly Erasure[] {
  return text.split("\n").flatMap((line, index) => {
    if (line === "") return [];
    const erasure = erasureIn(line);
    if (erasure !== null) return [erasure];
    throw new CommandFailure(
      EXIT.failed,
      `${path}, line ${index + 1}: no entry of a list of erasures. Each line is {"tenant", "subject", "key", "at"}.`,
    );
  });
}

function erasureIn(line: string): Erasure | null {
  try {
    // What JSON.parse gives is JSON.
    return erasureOfEntry(JSON.parse(line) as JsonValue);
  } catch {
    return null;
  }
}

/** HMAC-SHA-256 as base64url. */
const SUBJECT = /^[\w-]{43}$/;
/** UTC with milliseconds: entries are compared by it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An entry as files and the admin API write it; null where it is none. */
export function erasureOfEntry(entry: JsonValue): Erasure | null {
  const { tenant, subject, key, at, ...others } = isJsonObject(entry) ? entry : {};
  if (typeof tenant !== "string" || typeof subject !== "string" || !SUBJECT.test(subject)) return null;
  if (typeof key !== "string" || typeof at !== "string" || !INSTANT.test(at)) return null;
  return Object.keys(others).length === 0 ? { tenant, subject, key, at } : null;
}
