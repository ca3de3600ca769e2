/**
 * The time of one fdatasync on the disk that the databases lie on.
 * @module
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lowerDecile } from "./measure.ts";

const ROUNDS = 101;
const PAGE = Buffer.alloc(4096, 1);

/** Time to make one page durable, in milliseconds. */
export function measureFdatasync(): number {
  const directory = mkdtempSync(join(tmpdir(), "scim-fdatasync-"));
  const file = openSync(join(directory, "page"), "w");
  const times = Array.from({ length: ROUNDS }, () => {
    writeSync(file, PAGE);
    const start = performance.now();
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  rmSync(directory, { recursive: true });
  return lowerDecile(times);
}
