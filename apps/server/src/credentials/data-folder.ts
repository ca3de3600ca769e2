/**
 * The folder of secrets: `credentials` and `keys.json`, readable by their owner alone.
 * @module
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { SecretKey } from "@scim/tenancy";
import { CommandFailure, EXIT } from "../failure.ts";
import { flushFolder, makeFolder } from "../folders.ts";
import { readSecretKeys } from "../settings/forms.ts";

/** Folder of secrets where the database is in memory. */
const MEMORY_FOLDER = "./data";
/** The same where the folder is that of a database which is kept. */
const BESIDE_KEPT = "./data/memory";
const OWNER_ONLY = 0o600;
/** Bytes of the id of a key. */
const ID_BYTES = 6;

/** Where the secrets are. */
export interface DataFolder {
  readonly path: string;
  readonly credentialsPath: string;
  /** The value of a line `NAME=value` of the file of credentials; null where it has none, or cannot be read. */
  credential(name: string): string | null;
  /**
   * Keeps lines `NAME=value` of the file of credentials, replacing those of the same names. They stay behind `#` where the database
   * is kept: another one of the folder may have them, and knows no more than their hashes.
   */
  keepCredentials(lines: ReadonlyMap<string, string>): void;
  /** The keys, made on first use. */
  keys(): readonly SecretKey[];
}

/** The folder that a setting names, or that of an SQLite database; it is made when something is written. */
export function dataFolder(named: string | null, database: string): DataFolder {
  const isInMemory = database === ":memory:";
  const path = named ?? (isInMemory ? memoryFolder() : dirname(database));
  const credentialsPath = join(path, "credentials");
  return {
    path,
    credentialsPath,
    credential: (name) => valueOf(credentialsPath, name),
    keepCredentials: (lines) =>
      writeSecret(credentialsPath, mergeLines(credentialsPath, { lines, keepsReplaced: !isInMemory })),
    keys: () => readKeys(join(path, "keys.json")),
  };
}

/** Nobody needs the secrets of a database in memory behind its end; those of one that is kept must not give way to them. */
function memoryFolder(): string {
  const isKept =
    existsSync(MEMORY_FOLDER) && readdirSync(MEMORY_FOLDER).some((name) => /\.(?:db|sqlite3?)$/.test(name));
  return isKept ? BESIDE_KEPT : MEMORY_FOLDER;
}

function valueOf(path: string, name: string): string | null {
  try {
    const line = readFileSync(path, "utf8")
      .split("\n")
      .find((each) => each.startsWith(`${name}=`));
    return line?.slice(name.length + 1) ?? null;
  } catch {
    // It is only looked at to say what is in it: people may have moved it away.
    return null;
  }
}

interface Merging {
  readonly lines: ReadonlyMap<string, string>;
  readonly keepsReplaced: boolean;
}

function mergeLines(path: string, { lines, keepsReplaced }: Merging): string {
  const before = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  const isReplaced = (line: string): boolean => lines.has(line.split("=", 1)[0] ?? "");
  const kept = before
    .filter((line) => line !== "" && (keepsReplaced || !isReplaced(line)))
    .map((line) => (isReplaced(line) ? `# replaced: ${line}` : line));
  const added = [...lines].map(([name, value]) => `${name}=${value}`);
  return `${[...kept, ...added].join("\n")}\n`;
}

function readKeys(path: string): readonly SecretKey[] {
  if (!existsSync(path)) {
    // No other key had this id: what a file that was lost made is not taken for made by this one.
    const key = { id: randomBytes(ID_BYTES).toString("hex"), secret: randomBytes(32).toString("base64url") };
    writeSecret(path, `${JSON.stringify({ keys: [key] }, null, 2)}\n`, placeNew);
  }
  try {
    return keysOf(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new CommandFailure(
      EXIT.failed,
      `${path} cannot be read: it must hold {"keys": [{"id": "…", "secret": "…"}]}, each id once, each secret at least ` +
        "32 bytes as base64url. Without the keys that made them, tokens are not valid any more.",
      cause,
    );
  }
}

function keysOf(document: unknown): readonly SecretKey[] {
  const keys = hasKeys(document) ? document.keys : [];
  return readSecretKeys(keys.map(pairOf).join(","));
}

function hasKeys(document: unknown): document is { readonly keys: readonly unknown[] } {
  return (
    typeof document === "object" && document !== null && "keys" in document && Array.isArray(document.keys)
  );
}

function pairOf(key: unknown): string {
  if (typeof key !== "object" || key === null || !("id" in key) || !("secret" in key)) return "";
  return `${String(key.id)}:${String(key.secret)}`;
}

/** Puts a file that is whole in its place. */
type Place = (unfinished: string, path: string) => void;

/** Written beside and put into place, so that a reader sees the old file or the new one. */
function writeSecret(path: string, content: string, place: Place = renameSync): void {
  // Processes of several containers that share the folder may have one number.
  const unfinished = `${path}.${randomBytes(8).toString("hex")}.new`;
  try {
    makeFolder(dirname(path));
    // What was said to be written, and keys that tokens are made with, a loss of power must not take.
    writeFileSync(unfinished, content, { mode: OWNER_ONLY, flush: true });
    // The mode above is cut by the umask and ignored for a file that is left over.
    chmodSync(unfinished, OWNER_ONLY);
    place(unfinished, path);
    flushFolder(dirname(path));
  } catch (cause) {
    // A service that is started again and again on a full disk would leave a file each time. Where there is no folder either, to
    // remove it would fail for another reason than the one to tell.
    if (existsSync(unfinished)) rmSync(unfinished);
    throw new CommandFailure(
      EXIT.failed,
      `${path} cannot be written; give another folder with --data-dir.`,
      cause,
    );
  }
}

/** Leaves a file that another process has put there meanwhile: what was made with its keys is good with no others. */
function placeNew(unfinished: string, path: string): void {
  try {
    linkSync(unfinished, path);
  } catch {
    // Not every file system has links.
    if (!existsSync(path)) return renameSync(unfinished, path);
  }
  rmSync(unfinished);
}
