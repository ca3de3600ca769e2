/**
 * The log: JSON lines on standard output, pretty on a terminal.
 * @module
 */
import pino, { type Logger } from "pino";
import type { Settings } from "./settings/table.ts";

/** Makes the log. */
export async function createLog(level: Settings["logLevel"], terminal: boolean): Promise<Logger> {
  const options = { level, base: null };
  if (!terminal) return pino(options);
  const { default: pretty } = await import("pino-pretty");
  return pino(options, pretty({ colorize: true, ignore: "pid,hostname", translateTime: "SYS:HH:MM:ss.l" }));
}
