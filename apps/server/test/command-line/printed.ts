/**
 * Runs a command in the process of the test, and takes what it prints.
 * @module
 */
import process from "node:process";
import { vi } from "vitest";
import { runCommand } from "../../src/command-line.ts";
import { failureOf, toldFailure, type ExitCode } from "../../src/failure.ts";
import type { Ended, Run } from "./program.ts";

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

/**
 * Runs a command to its end as `run` does, sooner and in the process of the test: where nothing of a process is at stake.
 * One at a time, since a process is in one folder.
 */
export async function runHere(
  args: readonly string[],
  { folder, environment = {} }: Pick<Run, "folder" | "environment">,
): Promise<Ended> {
  const { result, stdout, stderr } = await within(folder, () => captured(() => endOf(args, environment)));
  return { code: result.code, stdout, stderr: stderr + result.told };
}

/** Does something while the process of the test is in a folder. */
export async function within<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

/** How a command ended, and what the program tells of a failure. */
async function endOf(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: ExitCode; readonly told: string }> {
  try {
    return { code: await runCommand(args, environment), told: "" };
  } catch (error) {
    const failure = failureOf(error, args);
    if (failure === null) throw error;
    return { code: failure.exitCode, told: toldFailure(failure, args) };
  }
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
