/**
 * Runs a command in the process of the test, and takes what it prints.
 * @module
 */
import process from "node:process";
import { vi } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import type { ExitCode } from "../../src/failure.ts";

/** What a command left behind. */
export interface Printed {
  readonly code: ExitCode;
  /** What it wrote to standard output. */
  readonly stdout: string;
}

/**
 * Runs a command to its end.
 * @throws CommandFailure
 */
export async function printed(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Printed> {
  let stdout = "";
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  try {
    const code = await runCommand(args, environment);
    return { code, stdout };
  } finally {
    spy.mockRestore();
  }
}
