/**
 * The log: JSON lines on standard output, pretty on a terminal.
 * @module
 */
import pino, { type Logger } from "pino";
import pretty from "pino-pretty";
import type { Settings } from "./settings/table.ts";

/** Makes the log. */
export function createLog(level: Settings["logLevel"], terminal: boolean): Logger {
  const options = { level, base: null };
  if (!terminal) return pino(options);
  return pino(options, pretty({ colorize: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l" }));
}
