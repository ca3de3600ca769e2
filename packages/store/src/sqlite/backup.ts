/**
 * Copies a database file while other processes read and write it.
 * @module
 */
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { StoreError } from "../errors.ts";
import { sql } from "../sql.ts";
import { numberOf, textOf } from "../steps.ts";
import { integrityFaults } from "./check-pages.ts";
import { SqliteConnection } from "./connection.ts";
import { damageOf, isFull, needsWriting } from "./failures.ts";
import { flush, flushFolder } from "./folders.ts";
import {
  abandonedCopies,
  partialCopyOf,
  removeAbandonedCopies,
  removePartialCopy,
} from "./partial-copies.ts";

/** Live resources of a type. */
export interface ResourceCount {
  readonly tenant: string;
  readonly type: string;
  readonly resources: number;
}

/** A copy that was checked. */
export interface Backup {
  readonly counts: readonly ResourceCount[];
  /** Size of the file. */
  readonly bytes: number;
  /** Files beside it that are left of copies to other names, whose process ended before they were done. */
  readonly abandoned: readonly string[];
}

/** Milliseconds that the copy waits for a lock. */
const LOCK_WAIT = 5000;

/**
 * Copies a database to a new file: one state of it, without the write-ahead log, so that the file is all there is. It
 * is checked, and bears its name only then; only its owner may read it. Writes go on meanwhile. What a process that was
 * killed left of a copy to the same name is removed. The thread is held: call it where nothing else runs.
 * @throws StoreError `databaseUnusable` where there is nothing to copy, the file exists, or the copy is not sound
 */
export function backUpSqlite(path: string, target: string): Backup {
  if (path === ":memory:" || !existsSync(path))
    throw new StoreError("databaseUnusable", `There is no database file ${path} to copy`);
  if (existsSync(target))
    throw new StoreError("databaseUnusable", `${target} exists, and a backup overwrites nothing`);
  const partial = partialCopyOf(target);
  let isMade = false;
  try {
    removeAbandonedCopies(dirname(target), (name) => name === basename(target));
    // Made here, so that it never has another mode.
    closeSync(openSync(partial, "wx", 0o600));
    isMade = true;
    copy(path, partial);
    const counts = check(partial);
    publish(partial, target);
    removePartialCopy(partial);
    const abandoned = abandonedCopies(dirname(target)).map(({ path: left }) => left);
    return { counts, bytes: statSync(target).size, abandoned };
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const reason = reasonOf(error, { path, target }).replace(/\.$/, "");
    throw new StoreError("databaseUnusable", `The copy ${target} could not be made: ${reason}`, error);
  } finally {
    if (isMade) removePartialCopy(partial);
  }
}

/** What keeps a copy from being made, and what to do about it. */
function reasonOf(
  error: unknown,
  { path, target }: { readonly path: string; readonly target: string },
): string {
  const folder = dirname(target);
  // The file of the copy is there by then: what cannot be opened or written is the database, or what is beside it.
  if (needsWriting(error))
    return `SQLite writes ${path}-shm and ${path}-wal even to read ${path}, and cannot. Run this as the user of the server; or copy the file, with its -wal where there is one, from where it can only be read to a folder that takes writes, and back that up`;
  if (isFull(error)) return `There is no room for it in ${folder}`;
  const code = error instanceof Error && "code" in error ? error.code : null;
  switch (code) {
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return `This user can write nothing in ${folder}: name a folder that takes writes`;
    case "ENOENT":
    case "ENOTDIR":
      return `There is no folder ${folder}: make it first`;
    case "ENOSPC":
    case "EDQUOT":
      return `There is no room for it in ${folder}`;
    default:
      return damageOf(error) ?? (error instanceof Error ? error.message : String(error));
  }
}

function copy(path: string, partial: string): void {
  const source = new SqliteConnection(path, { lockWait: LOCK_WAIT });
  try {
    source.run(sql`VACUUM INTO ${partial}`);
  } finally {
    source.close();
  }
}

/** Reads all of the copy: its structure, and that its counters are those of what it holds. */
function check(partial: string): readonly ResourceCount[] {
  const database = new SqliteConnection(partial, { lockWait: LOCK_WAIT });
  try {
    const [fault] = integrityFaults(database);
    if (fault !== undefined)
      throw new StoreError("databaseUnusable", `The copy is not sound (${fault}): check the database itself`);
    const counts = countsOf(
      database,
      sql`SELECT tenant, type, count(*) AS n FROM resources
      WHERE deleted IS NULL GROUP BY tenant, type ORDER BY tenant, type`,
    );
    const counters = countsOf(
      database,
      sql`SELECT tenant, type, sum(n) AS n FROM resource_counters
      GROUP BY tenant, type HAVING sum(n) <> 0 ORDER BY tenant, type`,
    );
    if (JSON.stringify(counts) !== JSON.stringify(counters))
      throw new StoreError("databaseUnusable", "The copy's counters are not those of its resources");
    return counts;
  } finally {
    database.close();
  }
}

function countsOf(database: SqliteConnection, query: ReturnType<typeof sql>): readonly ResourceCount[] {
  return database.run(query).rows.map((row) => ({
    tenant: textOf(row, "tenant"),
    type: textOf(row, "type"),
    resources: numberOf(row, "n"),
  }));
}

/** Gives the copy its name, unless that was taken in the meantime. */
function publish(partial: string, target: string): void {
  flush(partial);
  try {
    linkSync(partial, target);
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    renameToFree(partial, target);
  }
  flushFolder(dirname(target));
}

/** What FAT, exFAT and many network mounts answer to a hard link. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function hasNoLinks(error: unknown): boolean {
  return error instanceof Error && "code" in error && NO_LINKS.has(error.code);
}

/** A rename would replace what bears the name: an empty file takes it first, which no other process can then. */
function renameToFree(partial: string, target: string): void {
  closeSync(openSync(target, "wx", 0o600));
  try {
    renameSync(partial, target);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}
