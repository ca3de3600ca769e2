import { setTimeout as after } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Turns } from "../src/index.ts";
import { withTimeLimit } from "../src/query/time-limit.ts";
import { withinTime } from "../src/time-limit.ts";
import { testService } from "./support/service.ts";

/** A timer of Node.js for longer than 2^31 - 1 ms, which are 24 days, ends at once. */
describe.each([Number.POSITIVE_INFINITY, 2 ** 31, 1e12])("a time of %d ms", (milliseconds) => {
  test("does not end the work of an application at once", async () => {
    const late = () => new Error("late");
    const work = withinTime({ milliseconds, signal: undefined, late }, () => after(30, "done"));
    await expect(work).resolves.toBe("done");
  });

  test("does not end a query at once", async () => {
    const query = withTimeLimit(testService().context(), milliseconds, async ({ signal }) => {
      await after(30);
      return signal?.aborted;
    });
    await expect(query).resolves.toBe(false);
  });

  test("does not end the waiting for a turn at once", async () => {
    const turns = new Turns({
      atOnce: 1,
      perTenant: () => 1,
      waiting: 4,
      patience: milliseconds,
      refusal: "Too many wait.",
    });
    const end = await turns.take("default");
    const waiting = turns.take("default");
    await after(30);
    end();
    await expect(waiting).resolves.toBeTypeOf("function");
  });
});
