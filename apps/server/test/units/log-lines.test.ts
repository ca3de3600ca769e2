import pino from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
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

const MOMENT_MS = 10;

describe("lines of the log", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("of one moment are written together, in their order, before the next", () => {
    const { log, texts, messages } = logged();
    log.info("first");
    vi.advanceTimersByTime(MOMENT_MS - 1);
    log.child({ req: "r-1" }).warn("second");
    expect(texts).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(texts).toHaveLength(1);
    expect(messages()).toEqual(["first", "second"]);
    log.info("third");
    vi.advanceTimersByTime(MOMENT_MS);
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

  test.each([
    ["several bytes to a character", "Żółć € 😀".repeat(10)],
    ["more than is held back", "x".repeat(65_536)],
    ["more than is held back, of several bytes", "€".repeat(30_000)],
  ])("are whole and in their order where one has %s", (_, text) => {
    const { log, messages } = logged();
    log.info("first");
    log.info(text);
    log.info("last");
    vi.advanceTimersByTime(MOMENT_MS);
    expect(messages()).toEqual(["first", text, "last"]);
  });

  test("are whole where they are more than is held back together", () => {
    const { log, texts, messages } = logged();
    const sent = Array.from({ length: 100 }, (_, n) => `${n} ${"€".repeat(1000)}`);
    for (const message of sent) log.info(message);
    vi.advanceTimersByTime(MOMENT_MS);
    expect(messages()).toEqual(sent);
    expect(texts.length).toBeGreaterThan(1);
  });
});
