/**
 * Programs of this folder as processes of their own.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A process under way. */
export interface Child {
  readonly process: ChildProcess;
  /** Resolves to what it printed, once it has ended with 0. */
  readonly printed: Promise<string>;
  /** Resolves when it has printed something. */
  readonly speaking: Promise<void>;
}

/** Starts a program of this folder; it runs no longer than the test. */
export function startChild(program: string, ...args: readonly string[]): Child {
  const script = join(import.meta.dirname, program);
  const child = spawn(process.execPath, ["--conditions=@scim/source", script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { out: "", error: "" };
  const { promise: speaking, resolve: speaks } = Promise.withResolvers<void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text.out += chunk;
    speaks();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => void (text.error += chunk));
  const closed = once(child, "close");
  const printed = closed.then(() => {
    if (child.exitCode !== 0) throw new Error(`${program} ended with ${child.exitCode}: ${text.error}`);
    return text.out;
  });
  // Who does not wait for it need not know how it ended.
  printed.catch(() => undefined);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await closed;
  });
  return { process: child, printed, speaking };
}
