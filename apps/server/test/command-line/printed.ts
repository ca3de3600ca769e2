/**
 * Runs a command in the process of the test, and takes what it prints.
 * @module
 */
import process from "node:process";
import { vi } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import type { ExitCode } from "../../src/failure.ts";

/** What was written so far. */
export interface Written {
  stdout: string;
  stderr: string;
}

/** Does something, and takes what this process writes meanwhile. */
export async function captured<Result>(
  work: (written: Readonly<Written>) => Promise<Result>,
): Promise<Written & { readonly result: Result }> {
  const written: Written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text, ...others) => {
      written[name] += String(text);
      const done = others.at(-1);
      if (typeof done === "function") done();
      return true;
    }),
  );
  try {
    const result = await work(written);
    return { result, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** What a command left behind. */
export interface Printed extends Readonly<Written> {
  readonly code: ExitCode;
}

/**
 * Runs a command to its end.
 * @throws CommandFailure
 */
export async function printed(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Printed> {
  const { result, ...written } = await captured(() => runCommand(args, environment));
  return { code: result, ...written };
}

/** Tells the commands that begin from now on to stop, as Ctrl-C does. What else listens in this process is not told. */
export function interruption(): () => void {
  const before = process.listeners("SIGINT");
  return () => {
    for (const listen of process.listeners("SIGINT")) if (!before.includes(listen)) listen("SIGINT");
  };
}

/** Resolves when something begins to listen for an interruption: work that takes a moment only may be over at the next look. */
export function interruptible(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const see = (name: string | symbol): void => {
    if (name !== "SIGINT") return;
    process.off("newListener", see);
    resolve();
  };
  process.on("newListener", see);
  return promise;
}
