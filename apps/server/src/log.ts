/**
 * The log: JSON lines on standard output, pretty on a terminal.
 * @module
 */
import process from "node:process";
import pino, { type Logger, type LoggerOptions } from "pino";
import { LogDestination } from "./log-destination.ts";
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
    const tell = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
    const destination = new LogDestination({ fd: process.stdout.fd, tell });
    const lines = new LogLines(destination);
    process.once("exit", () => {
      destination.end("");
      lines.flushSync({ write: (text) => destination.end(text) });
    });
    return pino(options, lines);
  }
  const { default: pretty } = await import("pino-pretty");
  const colorize = process.stdout.hasColors();
  return pino(options, pretty({ colorize, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l" }));
}
