import fs, { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { dataFolder } from "../../src/credentials/data-folder.ts";

const THREADS = 4;

/** Each waits until all are there: what they do next they do at the same moment. */
const AT_ONCE = `
  const { parentPort, workerData } = require("node:worker_threads");
  import(workerData.module).then(({ dataFolder }) => {
    const here = new Int32Array(workerData.here);
    Atomics.add(here, 0, 1);
    while (Atomics.load(here, 0) < workerData.threads);
    const keys = dataFolder(workerData.folder, "").keys();
    parentPort.postMessage(keys.map(({ secret }) => Buffer.from(secret).toString("base64url")).join());
  });`;

/** What each of several threads takes for the keys of a folder that has none yet. */
function keysAtOnce(folder: string): Promise<readonly string[]> {
  const module = new URL("../../src/credentials/data-folder.ts", import.meta.url).href;
  const workerData = { module, folder, threads: THREADS, here: new SharedArrayBuffer(4) };
  const threads = Array.from(
    { length: THREADS },
    () => new Worker(AT_ONCE, { eval: true, workerData, execArgv: ["--conditions=@scim/source"] }),
  );
  return Promise.all(
    threads.map(
      (thread) =>
        new Promise<string>((resolve, reject) => {
          thread.once("message", resolve).once("error", reject);
        }),
    ),
  );
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "scim-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test.each([1, 2, 3])("all who make the keys of a folder at once have the same, time %i", async () => {
  const folder = newFolder();
  const keys = await keysAtOnce(folder);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[\w-]{43}$/);
  expect(readdirSync(folder)).toEqual(["keys.json"]);
});

test("what finds no room on the disk leaves no file behind, however often it is tried", () => {
  const folder = newFolder();
  const write = vi.spyOn(fs, "writeFileSync").mockImplementation((path) => {
    closeSync(openSync(String(path), "w"));
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    write.mockRestore();
    syncBuiltinESMExports();
  });
  expect(() => dataFolder(folder, "").keys()).toThrow("keys.json cannot be written");
  expect(readdirSync(folder)).toEqual([]);
});
