/**
 * The log: JSON lines on standard output, pretty on a terminal.
 * @module
 */
import process from "node:process";
import pino, { type Logger, type LoggerOptions } from "pino";
import { LogLines } from "./log-lines.ts";
import { loggedError } from "./logged-error.ts";
import type { Reader } from "./output.ts";
import type { Settings } from "./settings/table.ts";

/** Who reads what the server writes: people at a terminal, a program that asked for JSON, or whoever reads files. */
export type Audience = "terminal" | "program" | "files";

/** Who reads the standard output of this process. */
export function audienceOf({ json }: Reader): Audience {
  if (json === true) return "program";
  return process.stdout.isTTY ? "terminal" : "files";
}

/** What every log of the server is made with. */
export function logOptions(level: Settings["logLevel"]): LoggerOptions {
  return { level, base: null, serializers: { err: (error: unknown) => loggedError(error) } };
}

/** Makes the log. It has colours where the terminal has, and `NO_COLOR` does not forbid them. */
export async function createLog(level: Settings["logLevel"], audience: Audience): Promise<Logger> {
  const options = logOptions(level);
  if (audience !== "terminal") {
    const { fd } = process.stdout;
    const lines = new LogLines(pino.destination(fd));
    // The writer has ended by then, and would not wait for what it writes.
    process.once("exit", () => lines.flushSync(pino.destination({ dest: fd, sync: true })));
    return pino(options, lines);
  }
  const { default: pretty } = await import("pino-pretty");
  const colorize = process.stdout.hasColors();
  return pino(options, pretty({ colorize, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l" }));
}
