/**
 * One of several processes that serve a port.
 * @module
 */
import cluster from "node:cluster";
import { flushCompileCache } from "node:module";
import process from "node:process";
import { pino } from "pino";
import type { ExitCode } from "../failure.ts";
import { audienceOf, createLog } from "../log.ts";
import { openStore } from "../store/open-store.ts";
import { loadRegistries } from "../schemas/schema-registry.ts";
import { startServer } from "../serve/start-server.ts";
import type { Reader } from "../output.ts";
import type { Settings } from "../settings/table.ts";
import { stopInTime, stopSeconds } from "../stop.ts";
import { STOP_SIGNALS } from "../stop-on-signals.ts";
import { createPeerReports } from "./peer-reports.ts";
import { asksWhetherAlive, isStop, WORKER_VARIABLE, type Alive, type WorkerReady } from "./messages.ts";

/** Serves until the primary process asks it to stop. Resolves to the exit code. */
export async function serveAsWorker(settings: Settings, reader: Reader): Promise<ExitCode> {
  try {
    return await serveUntilAsked(settings, reader);
  } finally {
    // The channel to the primary process would keep this one alive.
    cluster.worker?.disconnect();
  }
}

async function serveUntilAsked(settings: Settings, reader: Reader): Promise<ExitCode> {
  const base = await createLog(settings.logLevel, audienceOf(reader));
  const log = base.child({ worker: Number(process.env[WORKER_VARIABLE]) });
  leaveSignalsToPrimary();
  const asked = stopMessage();
  answerWhetherAlive();
  // What is wrong with documents and settings the primary has told.
  const registries = loadRegistries(settings, pino({ level: "silent" }));
  const opened = await openStore(settings, registries, log);
  const server = await startServer({ settings, log, registries, opened, peers: createPeerReports() });
  const ready: WorkerReady = { kind: "ready", baseUrl: server.baseUrl, port: server.port };
  flushCompileCache();
  process.send?.(ready);
  await asked;
  const stop = async (answered: () => void): Promise<boolean> => {
    await server.stop(answered);
    return true;
  };
  return stopInTime({ stop, seconds: stopSeconds(settings) }, log);
}

/** A terminal and a service manager send signals to every process of a group: the primary decides for all. */
function leaveSignalsToPrimary(): void {
  for (const signal of STOP_SIGNALS) process.on(signal, () => undefined);
}

function answerWhetherAlive(): void {
  const alive: Alive = { kind: "alive" };
  process.on("message", (message: unknown) => {
    // Where the channel is closed, this process is at its end.
    if (asksWhetherAlive(message)) process.send?.(alive, undefined, undefined, () => undefined);
  });
}

function stopMessage(): Promise<void> {
  return new Promise((resolve) => {
    process.on("message", (message: unknown) => {
      if (isStop(message)) resolve();
    });
  });
}
