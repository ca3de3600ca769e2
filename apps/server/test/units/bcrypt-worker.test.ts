import { hashSync } from "bcryptjs";
import { expect, onTestFinished, test } from "vitest";
import { createBcryptWorker } from "../../src/credentials/bcrypt-worker.ts";

/** As long as a hash, and none: it ends the thread. */
const NO_HASH = "x".repeat(60);

test("a thread that failed is started again, and its end takes no question from the next one", async () => {
  const worker = createBcryptWorker();
  onTestFinished(() => worker.stop());
  const hash = hashSync("secret", 4);
  for (let round = 0; round < 3; round += 1) {
    const before = [worker.compare("secret", NO_HASH), worker.compare("secret", hash)];
    for (const outcome of await Promise.allSettled(before)) expect(outcome.status).toBe("rejected");
    // Asked as soon as the error is told, which the end of the thread follows.
    expect(await Promise.all([worker.compare("secret", hash), worker.compare("other", hash)])).toEqual([
      true,
      false,
    ]);
  }
});
