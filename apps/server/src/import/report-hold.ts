/**
 * Keeps other imports from a report while it is written: each would take the lines of the other away, and go on behind
 * records that the other is at. A file beside the report names the process that writes it.
 * @module
 */
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CommandFailure, EXIT } from "../failure.ts";

/** What follows the name of a report: the process that writes it. */
const HOLDER = /^\.(?<pid>[1-9][0-9]*)\.running$/;

/**
 * Holds a report. What is no file, such as a device, may be written by many, and so may what stands in a folder that takes
 * no files.
 * @returns what lets it go
 * @throws CommandFailure where another process of this machine holds it
 */
export function holdReport(path: string | null): () => void {
  if (path === null || lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) return () => undefined;
  const mark = `${path}.${process.pid}.running`;
  const letGo = (): void => rmSync(mark, { force: true });
  try {
    writeFileSync(mark, "", { mode: 0o600 });
  } catch {
    return () => undefined;
  }
  // Looked for after the own mark is there: of two that begin at once, none misses the other.
  for (const { pid, mark: other } of othersAt(path)) {
    if (!isRunning(pid)) {
      rmSync(other, { force: true });
      continue;
    }
    letGo();
    throw new CommandFailure(
      EXIT.failed,
      `Process ${pid} imports this source, or another with the report ${path}: wait for its end. Where it is no import, remove ${other}.`,
    );
  }
  return letGo;
}

interface Holder {
  readonly pid: number;
  readonly mark: string;
}

/** Other processes that say that they write a report. One that had the number of this one has ended. */
function othersAt(path: string): readonly Holder[] {
  const [folder, report] = [dirname(path), basename(path)];
  return namesIn(folder).flatMap((name) => {
    const end = name.startsWith(report) ? HOLDER.exec(name.slice(report.length)) : null;
    const pid = Number(end?.groups?.["pid"] ?? process.pid);
    return pid === process.pid ? [] : [{ pid, mark: join(folder, name) }];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return !isZombie(pid);
}

/** In a container whose first process looks after no others, what was killed keeps its number until the container ends. */
function isZombie(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name before it may hold anything (proc_pid_stat(5)).
    return /^[ZX]/.test(status.slice(status.lastIndexOf(")") + 2));
  } catch {
    // Another system than Linux has no such file.
    return false;
  }
}
