/**
 * What a loss of power leaves of files: what was flushed of each, under names that were flushed with their folder.
 * @module
 */
import fs from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";

/** Watches a folder that is on the disk itself. Answers what is left of a path in it; null for nothing. */
export async function watchFlushes(root: string): Promise<(path: string) => string | null> {
  const contents = new Map<number, string>();
  const names = new Map<string, number>();
  const flushed = (descriptor: number): void => {
    const { ino } = fs.fstatSync(descriptor);
    for (const path of [root, ...pathsIn(root)]) {
      const found = fs.lstatSync(path);
      if (found.ino !== ino) continue;
      if (!found.isDirectory()) contents.set(ino, fs.readFileSync(path, "utf8"));
      else for (const name of fs.readdirSync(path)) names.set(join(path, name), inodeOf(join(path, name)));
    }
  };
  const handle = await open(root);
  const files: FileHandle = Object.getPrototypeOf(handle);
  await handle.close();
  const spies = [
    vi.spyOn(fs, "fsyncSync").mockImplementation(flushed),
    vi.spyOn(fs, "fsync").mockImplementation((descriptor, done) => {
      flushed(descriptor);
      done(null);
    }),
    vi.spyOn(files, "sync").mockImplementation(async function synced(this: FileHandle) {
      flushed(this.fd);
    }),
  ];
  // Bindings of modules follow the object of all when they are told to.
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
  const isNamed = (path: string): boolean => path === root || (names.has(path) && isNamed(dirname(path)));
  return (path) => (isNamed(path) ? (contents.get(names.get(path) ?? 0) ?? null) : null);
}

function inodeOf(path: string): number {
  return fs.lstatSync(path).ino;
}

function pathsIn(folder: string): readonly string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
}
