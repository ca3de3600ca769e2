import { syncBuiltinESMExports } from "node:module";
import workerThreads from "node:worker_threads";
import { hashSync } from "bcryptjs";
import { expect, onTestFinished, test } from "vitest";
import { createBcryptWorker } from "../../src/credentials/bcrypt-worker.ts";

/** As long as a hash, and none: it ends the thread. */
const NO_HASH = "x".repeat(60);

/** What the request is answered by: its token may be good. */
const UNAVAILABLE = { code: "unavailable", headers: { "retry-after": "1" } };

function exchangeWorker(Worker: unknown): void {
  Object.assign(workerThreads, { Worker });
  syncBuiltinESMExports();
}

test("a thread that failed is started again, and its end takes no question from the next one", async () => {
  const worker = createBcryptWorker();
  onTestFinished(() => worker.stop());
  const hash = hashSync("secret", 4);
  for (let round = 0; round < 3; round += 1) {
    const before = [worker.compare("secret", NO_HASH), worker.compare("secret", hash)];
    for (const outcome of await Promise.allSettled(before))
      expect(outcome).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
    // Asked as soon as the error is told, which the end of the thread follows.
    expect(await Promise.all([worker.compare("secret", hash), worker.compare("other", hash)])).toEqual([
      true,
      false,
    ]);
  }
});

test("where the system has no thread left, the service is unavailable, and the next question starts one", async () => {
  const worker = createBcryptWorker();
  onTestFinished(() => worker.stop());
  const hash = hashSync("secret", 4);
  const { Worker } = workerThreads;
  onTestFinished(() => exchangeWorker(Worker));
  exchangeWorker(function lacking(): never {
    throw new Error("ERR_WORKER_INIT_FAILED: EAGAIN");
  });
  await expect((async () => worker.compare("secret", hash))()).rejects.toMatchObject(UNAVAILABLE);
  exchangeWorker(Worker);
  expect(await worker.compare("secret", hash)).toBe(true);
});
