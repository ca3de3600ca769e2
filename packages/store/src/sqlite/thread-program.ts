/**
 * How threads are started, each with a program of its own.
 * @module
 */
import { Worker, type WorkerOptions } from "node:worker_threads";
import { unavailable } from "../unavailable.ts";

/** A thread that is to be started. */
export interface ThreadStart extends Pick<WorkerOptions, "resourceLimits"> {
  /** Name of its program, beside this file, without ending. */
  readonly program: string;
  /** How it is called where threads are listed. */
  readonly name: string;
  /** Plain data that it is given. */
  readonly settings: unknown;
}

// Sources run as they are, what is built from them as JavaScript.
const IS_SOURCE = import.meta.url.endsWith(".ts");

/** Options of Node in a thread: none of the program's own, which may load what has no place in it. */
const NODE_OPTIONS = [
  "--disable-warning=ExperimentalWarning",
  ...(IS_SOURCE ? ["--conditions=@scim/source"] : []),
];

/**
 * Starts a thread, which does not keep the process alive.
 * @throws ScimError `unavailable` where the system has none left
 */
export function startThread({ program, name, settings, resourceLimits }: ThreadStart): Worker {
  const url = new URL(`./${program}.${IS_SOURCE ? "ts" : "js"}`, import.meta.url);
  try {
    const worker = new Worker(url, { name, workerData: settings, execArgv: NODE_OPTIONS, resourceLimits });
    worker.unref();
    return worker;
  } catch (error) {
    throw unavailable("The system gives the service no more threads. Try again.", error);
  }
}
