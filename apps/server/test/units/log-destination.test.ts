import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LogDestination } from "../../src/log-destination.ts";

type Outcome = number | "all" | `E${string}`;

/** A destination whose descriptor does as it is told: takes so many bytes, or all, or fails with a code. */
function destinationOf(...outcomes: readonly Outcome[]) {
  const left = [...outcomes];
  const told: string[] = [];
  let taken = "";
  const take = (bytes: Uint8Array): number => {
    const outcome = left.shift() ?? "all";
    if (typeof outcome !== "number" && outcome !== "all")
      throw Object.assign(new Error(`${outcome}: refused`), { code: outcome });
    const most = typeof outcome === "number" ? outcome : bytes.length;
    taken += Buffer.from(bytes.subarray(0, most)).toString();
    return Math.min(most, bytes.length);
  };
  const destination = new LogDestination({
    fd: 1,
    tell: (sentence) => told.push(sentence),
    calls: {
      write: (_fd, bytes, done) => {
        setImmediate(() => {
          try {
            done(null, take(bytes));
          } catch (error) {
            done(error instanceof Error ? error : null, 0);
          }
        });
      },
      writeSync: (_fd, bytes) => take(bytes),
    },
  });
  return { destination, told, taken: () => taken };
}

const FULL = "The log cannot be written: ENOSPC: refused. Lines are lost until it can.";

describe("the destination of the log", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function writing(lines: readonly string[], ...outcomes: readonly Outcome[]) {
    const made = destinationOf(...outcomes);
    for (const line of lines) made.destination.write(`${line}\n`);
    await vi.advanceTimersByTimeAsync(1000);
    return made;
  }

  test("takes text in its order, also where it takes it in pieces or is busy for a while", async () => {
    const { taken, told } = await writing(["first", "second", "third"], 2, "EAGAIN", 1, "EBUSY", "all");
    expect([taken(), told]).toEqual(["first\nsecond\nthird\n", []]);
  });

  test("loses what it cannot take, tells so once, and goes on", async () => {
    const { taken, told } = await writing(["a", "b", "c", "d"], "all", "ENOSPC", "ENOSPC");
    expect(taken()).toBe("a\nd\n");
    expect(told).toEqual([FULL, "The log is written again; 2 lines were lost."]);
  });

  test("begins a line anew where the last one was cut off", async () => {
    const { taken, told } = await writing(["first", "second"], 3, "ENOSPC");
    expect(taken()).toBe("fir\nsecond\n");
    expect(told).toEqual([FULL, "The log is written again; 1 line was lost."]);
  });

  test("holds no more than 16 MiB for a reader who is slow", async () => {
    const { destination, told, taken } = await writing(["first"], "EAGAIN", "EAGAIN");
    vi.useRealTimers();
    const long = `${"x".repeat(8_000_000)}\n`;
    for (let lines = 0; lines < 3; lines += 1) destination.write(long);
    expect(told).toEqual([
      "The log cannot be written: whoever reads it is too slow. Lines are lost until it can.",
    ]);
    expect(taken()).toBe("first\n");
  });

  test("takes what waits as the process ends, and does not wait for what takes nothing", () => {
    const waiting = destinationOf();
    waiting.destination.end("last\n");
    expect(waiting.taken()).toBe("last\n");
    const full = destinationOf("ENOSPC");
    full.destination.end("last\n");
    expect(full.taken()).toBe("");
  });
});
