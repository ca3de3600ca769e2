import fs, { closeSync, openSync, readdirSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { dataFolder } from "../../src/credentials/data-folder.ts";
import { newFolder } from "../command-line/program.ts";

const THREADS = 4;
const TIMES = 3;

/** Each waits until all are there: what they do next they do at the same moment, for one folder after another. */
const AT_ONCE = `
  const { parentPort, workerData } = require("node:worker_threads");
  import(workerData.module).then(({ dataFolder }) => {
    const here = new Int32Array(workerData.here);
    const keys = workerData.folders.map((folder, time) => {
      const wanted = workerData.threads * (time + 1);
      if (Atomics.add(here, 0, 1) + 1 === wanted) Atomics.notify(here, 0);
      for (let seen; (seen = Atomics.load(here, 0)) < wanted; ) Atomics.wait(here, 0, seen, 1);
      return dataFolder(folder, "").keys().map(({ secret }) => Buffer.from(secret).toString("base64url")).join();
    });
    parentPort.postMessage(keys);
  });`;

/** What each of several threads takes for the keys of folders that have none yet. */
function keysAtOnce(folders: readonly string[]): Promise<readonly (readonly string[])[]> {
  const module = new URL("../../src/credentials/data-folder.ts", import.meta.url).href;
  const workerData = { module, folders, threads: THREADS, here: new SharedArrayBuffer(4) };
  const threads = Array.from(
    { length: THREADS },
    () => new Worker(AT_ONCE, { eval: true, workerData, execArgv: ["--conditions=@scim/source"] }),
  );
  return Promise.all(
    threads.map(
      (thread) =>
        new Promise<readonly string[]>((resolve, reject) => {
          thread.once("message", resolve).once("error", reject);
        }),
    ),
  );
}

test("all who make the keys of a folder at once have the same", async () => {
  const folders = Array.from({ length: TIMES }, () => newFolder());
  const keys = await keysAtOnce(folders);
  for (const [time, folder] of folders.entries()) {
    const ofFolder = keys.map((each) => each[time]);
    expect(new Set(ofFolder).size).toBe(1);
    expect(ofFolder[0]).toMatch(/^[\w-]{43}$/);
    expect(readdirSync(folder)).toEqual(["keys.json"]);
  }
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
