import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTextFile } from "../../src/text-file.ts";
import { newFolder } from "./program.ts";

const KIB = 1024;

describe.each([0, 1, 4096, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 300 * KIB])(
  "a text of %i bytes",
  (bytes) => {
    const text = "0123456789".repeat(30 * KIB + 1).slice(0, bytes);

    test("is read from a file whole", () => {
      const file = join(newFolder(), "text");
      writeFileSync(file, text);
      expect(readTextFile(file)).toBe(text);
    });

    test("is read from a pipe whole", () => {
      const folder = newFolder();
      const [file, pipe] = [join(folder, "text"), join(folder, "pipe")];
      writeFileSync(file, text);
      execFileSync("mkfifo", [pipe]);
      spawn("sh", ["-c", 'cat "$0" > "$1"', file, pipe]);
      expect(readTextFile(pipe)).toBe(text);
    });
  },
);

test("small files take little room while many of them are read, as the documents of many resource types are", () => {
  const file = join(newFolder(), "text");
  writeFileSync(file, "{}");
  const before = process.memoryUsage().arrayBuffers;
  for (let read = 0; read < 1000; read += 1) readTextFile(file);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1000 * KIB);
});
