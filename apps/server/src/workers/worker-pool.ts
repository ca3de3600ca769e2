/**
 * Several processes on one port: started, started again when they die, stopped together.
 * @module
 */
import cluster, { type Worker } from "node:cluster";
import process from "node:process";
import type { Logger } from "pino";
import { closeWhatIsNotTaken } from "./handed-connections.ts";
import { endWhereSilent } from "./heartbeats.ts";
import { isReady, WORKER_VARIABLE, type StopWorker, type WorkerReady } from "./messages.ts";
import { ReportExchange } from "./report-exchange.ts";
import { createRestarts, type Restarts } from "./restarts.ts";

/** Workers that listen. */
export interface WorkerPool {
  /** Base address of SCIM. */
  readonly baseUrl: string;
  /** Asks all to stop. Resolves to whether each ended by itself, and without a failure. */
  stop(): Promise<boolean>;
  /** Ends all at once. */
  kill(): void;
}

/** What is told of a worker that is silent for too long. */
const SILENT =
  "a worker answers nothing any more: it hangs, was stopped, or a debugger holds it; it is ended with SIGKILL. To hold one in a debugger, serve from one process (--workers 1), which nothing watches";

/** A place in the pool, which one process after another takes. */
interface Place {
  readonly number: number;
  readonly restarts: Restarts;
  worker: Worker | null;
  /** Waits for the next process. */
  timer?: NodeJS.Timeout;
}

/**
 * Starts so many workers, each running this program with the arguments that this process has.
 * @throws Error where one of them ends before all listen
 */
export async function startWorkers(count: number, log: Logger): Promise<WorkerPool> {
  const places: readonly Place[] = Array.from({ length: count }, (_, at) => ({
    number: at + 1,
    restarts: createRestarts(),
    worker: null,
  }));
  const exchange = new ReportExchange();
  const state = { phase: "starting" as "starting" | "running" | "stopping" };
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();

  function launch(place: Place): Promise<WorkerReady> {
    const began = performance.now();
    const worker = cluster.fork({ [WORKER_VARIABLE]: String(place.number) });
    // Also what it is told when it has just died, and its end is on its way.
    worker.on("error", (error: Error) => {
      if (worker.process.pid === undefined) hasNotStarted(place, error);
    });
    if (worker.process.pid === undefined) return new Promise(() => undefined);
    place.worker = worker;
    closeWhatIsNotTaken(worker.process);
    exchange.add(worker);
    worker.once("exit", (code: number | null, signal: string | null) => {
      place.worker = null;
      if (state.phase === "starting") fail(new Error(`worker ${place.number} ended with ${signal ?? code}`));
      if (state.phase === "running") startAgain(place, { code, signal, ranMs: performance.now() - began });
    });
    // From its start on: one that hangs before it listens would keep its place empty for ever.
    endWhereSilent(worker, (seconds) => {
      log.error({ worker: place.number, workerPid: worker.process.pid, seconds }, SILENT);
    });
    return new Promise((resolve) => {
      worker.on("message", (message: unknown) => {
        if (isReady(message)) resolve(message);
      });
    });
  }

  function startAgain(place: Place, { ranMs, ...end }: EndOfWorker): void {
    const waitMs = place.restarts.next(ranMs);
    log.error({ worker: place.number, ...end, waitMs }, "a worker died; it is started again");
    place.timer = setTimeout(() => {
      if (state.phase === "running") launchAgain(place);
    }, waitMs);
  }

  function launchAgain(place: Place): void {
    try {
      void launch(place);
    } catch (error) {
      hasNotStarted(place, error);
    }
  }

  /** The system has no memory for a process, or has as many as it may: the others go on meanwhile. */
  function hasNotStarted(place: Place, error: unknown): void {
    if (state.phase === "starting") fail(error);
    if (state.phase !== "running") return;
    log.error({ worker: place.number, err: error }, "a worker could not be started");
    startAgain(place, { code: null, signal: null, ranMs: 0 });
  }

  /** No process is started any more. */
  function beginToStop(): void {
    state.phase = "stopping";
    for (const { timer } of places) clearTimeout(timer);
  }

  function kill(): void {
    beginToStop();
    for (const { worker } of places) worker?.process.kill("SIGKILL");
  }

  try {
    const [first] = await Promise.race([Promise.all(places.map(launch)), failed]);
    state.phase = "running";
    if (first === undefined) throw new TypeError("A pool has at least one worker");
    // Where the system chose the port, it must not choose another for those that come later. Behind a separator it would be no flag.
    const args = process.argv.slice(2).filter((arg) => arg !== "--");
    cluster.setupPrimary({ args: [...args, "--port", String(first.port)] });
    return {
      baseUrl: first.baseUrl,
      stop: async () => {
        beginToStop();
        const ends = await Promise.all(
          places.map(({ worker }) => (worker === null ? Promise.resolve(true) : stopped(worker))),
        );
        return ends.every(Boolean);
      },
      kill,
    };
  } catch (error) {
    kill();
    throw error;
  }
}

interface EndOfWorker {
  readonly code: number | null;
  readonly signal: string | null;
  readonly ranMs: number;
}

/** Asks a worker to stop. Resolves to whether it ended without a failure. */
function stopped(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once("exit", (code: number | null) => resolve(code === 0));
    const message: StopWorker = { kind: "stop" };
    // A worker that is gone already cannot be told, and its end is on its way.
    worker.send(message, () => undefined);
  });
}
