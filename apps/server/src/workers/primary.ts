/**
 * The process that keeps the workers. It serves no request.
 * @module
 */
import cluster from "node:cluster";
import process from "node:process";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { audienceOf, createLog } from "../log.ts";
import type { Reader } from "../output.ts";
import { counted } from "../progress/progress.ts";
import { loadRegistries } from "../schemas/schema-registry.ts";
import { noticeUnknownTools } from "../tools/unknown-tools.ts";
import type { Settings } from "../settings/table.ts";
import { startStore } from "../store/start-store.ts";
import { CLOSING_SECONDS, stopInTime, stopSeconds, unlessSignalled, untilSignalled } from "../stop.ts";
import { welcome } from "../serve/welcome.ts";
import { startWorkers, type WorkerPool } from "./worker-pool.ts";

/** Time that workers have to end behind `stop.timeout`, in seconds: each ends by itself when its own is over. */
const GRACE_SECONDS = CLOSING_SECONDS + 2;

interface Serving {
  readonly settings: Settings;
  readonly reader: Reader;
  /** The workers, once they are started. */
  readonly running: { pool: WorkerPool | null };
}

/** Runs workers until it is told to stop. Resolves to the exit code. */
export function serveWithWorkers(settings: Settings, reader: Reader): Promise<ExitCode> {
  const running: Serving["running"] = { pool: null };
  const serve = (signalled: Promise<NodeJS.Signals>): Promise<ExitCode> =>
    serveUntil(signalled, { settings, reader, running });
  return untilSignalled(serve, () => running.pool?.kill());
}

async function serveUntil(
  signalled: Promise<NodeJS.Signals>,
  { settings, reader, running }: Serving,
): Promise<ExitCode> {
  const audience = audienceOf(reader);
  const log = await createLog(settings.logLevel, audience);
  // Done once and before all else: what is wrong with documents, settings or database is told once.
  await noticeUnknownTools(settings, loadRegistries(settings, log), log);
  const { opened, token } = await startStore(settings, log, {
    waitFor: (work) => unlessSignalled({ work, signalled }, log),
  });
  await opened.store.close();
  const starting = started(settings, () => startWorkers(settings.workers, log));
  const pool = await Promise.race([starting, signalled]);
  if (typeof pool === "string") endAtOnce();
  running.pool = pool;
  const credentialsPath = opened.folder?.credentialsPath ?? null;
  welcome({ baseUrl: pool.baseUrl, token, credentialsPath }, log, audience);
  const signal = await signalled;
  log.info({ signal, workers: settings.workers }, "stopping: the workers finish the requests under way");
  const seconds = stopSeconds(settings) + GRACE_SECONDS;
  return stopInTime({ stop: () => pool.stop(), atOnce: () => pool.kill(), seconds }, log);
}

/** Workers that do not listen yet have nothing to finish. */
function endAtOnce(): never {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGKILL");
  process.exit(EXIT.ok);
}

async function started(settings: Settings, start: () => Promise<WorkerPool>): Promise<WorkerPool> {
  try {
    return await start();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(
      EXIT.failed,
      `${counted(settings.workers, "worker")} could not be started: ${reason}.`,
      cause,
    );
  }
}
