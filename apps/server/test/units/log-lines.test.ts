import pino from "pino";
import { describe, expect, test } from "vitest";
import { LogLines } from "../../src/log-lines.ts";

/** A log, the texts that it has written, and its lines. */
function logged(): {
  readonly log: pino.Logger;
  readonly texts: string[];
  readonly messages: () => unknown[];
} {
  const texts: string[] = [];
  const lines = new LogLines({ write: (text) => texts.push(text) });
  const messages = (): unknown[] =>
    texts.flatMap((text) => text.trimEnd().split("\n")).map((line): unknown => JSON.parse(line).msg);
  return { log: pino({ base: null }, lines), texts, messages };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("lines of the log", () => {
  test("of one turn are written together, in their order, before the next", async () => {
    const { log, texts, messages } = logged();
    log.info("first");
    log.child({ req: "r-1" }).warn("second");
    expect(texts).toEqual([]);
    await nextTurn();
    expect(texts).toHaveLength(1);
    expect(messages()).toEqual(["first", "second"]);
    log.info("third");
    await nextTurn();
    expect(messages()).toEqual(["first", "second", "third"]);
  });

  test.each([
    ["it is flushed", (log: pino.Logger) => log.flush()],
    ["a line is fatal", (log: pino.Logger) => log.fatal("last")],
    ["there are many of them", (log: pino.Logger) => log.info("x".repeat(65_536))],
  ])("are written at once where %s", (_, end) => {
    const { log, messages } = logged();
    log.info("first");
    end(log);
    expect(messages()[0]).toBe("first");
  });
});
