/**
 * What the processes of one server tell each other.
 * @module
 */

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

function isOfKind(message: unknown, kind: string): boolean {
  return typeof message === "object" && message !== null && "kind" in message && message.kind === kind;
}
