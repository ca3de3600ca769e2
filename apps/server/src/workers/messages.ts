/**
 * What the processes of one server tell each other.
 * @module
 */
import type { MetricReport } from "../metrics/prometheus.ts";

/** From a worker: it listens. */
export interface WorkerReady {
  readonly kind: "ready";
  /** Base address of SCIM. */
  readonly baseUrl: string;
  readonly port: number;
}

/** To a worker: take no more connections, finish what is under way, end. */
export interface StopWorker {
  readonly kind: "stop";
}

/** From a worker: tell me what all have counted. */
export interface Collect {
  readonly kind: "collect";
  /** Names the question among those of the worker. */
  readonly id: number;
}

/** To a worker: tell what you have counted. */
export interface Report {
  readonly kind: "report";
  /** Names the question among those of the primary process. */
  readonly id: number;
}

/** From a worker: what it has counted. */
export interface Reported {
  readonly kind: "reported";
  readonly id: number;
  readonly report: MetricReport;
}

/** To a worker: what all have counted. */
export interface Collected {
  readonly kind: "collected";
  readonly id: number;
  readonly reports: readonly MetricReport[];
}

/** To a worker: say that you are alive. */
export interface AskWhetherAlive {
  readonly kind: "ask-whether-alive";
}

/** From a worker: it is alive. */
export interface Alive {
  readonly kind: "alive";
}

/** The variable that tells a worker its number. */
export const WORKER_VARIABLE = "SCIM_WORKER";

/** Whether a message says that a worker listens. */
export function isReady(message: unknown): message is WorkerReady {
  return isOfKind(message, "ready");
}

/** Whether a message asks a worker to stop. */
export function isStop(message: unknown): message is StopWorker {
  return isOfKind(message, "stop");
}

/** Whether a message asks for what all have counted. */
export function isCollect(message: unknown): message is Collect {
  return isOfKind(message, "collect");
}

/** Whether a message asks a worker for what it has counted. */
export function isReport(message: unknown): message is Report {
  return isOfKind(message, "report");
}

/** Whether a message tells what a worker has counted. */
export function isReported(message: unknown): message is Reported {
  return isOfKind(message, "reported");
}

/** Whether a message tells what all have counted. */
export function isCollected(message: unknown): message is Collected {
  return isOfKind(message, "collected");
}

/** Whether a message asks a worker whether it is alive. */
export function asksWhetherAlive(message: unknown): message is AskWhetherAlive {
  return isOfKind(message, "ask-whether-alive");
}

/** Whether a message says that a worker is alive. */
export function isAlive(message: unknown): message is Alive {
  return isOfKind(message, "alive");
}

function isOfKind(message: unknown, kind: string): boolean {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === kind;
}
