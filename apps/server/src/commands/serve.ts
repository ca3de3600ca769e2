/**
 * `scim serve`: runs the server until it is told to stop.
 * @module
 */
import cluster from "node:cluster";
import { flushCompileCache } from "node:module";
import { CommandFailure, EXIT, type ExitCode } from "../failure.ts";
import { requireDeclaredExposure } from "../http/exposure.ts";
import { audienceOf, createLog } from "../log.ts";
import type { Reader } from "../output.ts";
import { loadRegistries } from "../schemas/schema-registry.ts";
import { noticeUnknownTools } from "../tools/unknown-tools.ts";
import { startServer } from "../serve/start-server.ts";
import type { ResolvedSettings } from "../settings/resolve.ts";
import type { Settings } from "../settings/table.ts";
import { startStore } from "../store/start-store.ts";
import { stopInTime, stopSeconds, unlessSignalled, untilSignalled } from "../stop.ts";
import { welcome } from "../serve/welcome.ts";

/**
 * Runs the server. Resolves to the exit code once it has stopped. With `--json` it writes its log alone, whose line "SCIM is
 * served" tells programs what the welcome tells people.
 */
export async function serve({ values: settings }: ResolvedSettings, reader: Reader): Promise<ExitCode> {
  requireDeclaredExposure(settings);
  if (settings.workers === 1) return untilSignalled((signalled) => serveAlone(settings, reader, signalled));
  refuseUnshared(settings);
  // Loaded on demand: one process alone needs nothing of it.
  if (cluster.isWorker) return (await import("../workers/worker.ts")).serveAsWorker(settings, reader);
  return (await import("../workers/primary.ts")).serveWithWorkers(settings, reader);
}

async function serveAlone(
  settings: Settings,
  reader: Reader,
  signalled: Promise<NodeJS.Signals>,
): Promise<ExitCode> {
  const audience = audienceOf(reader);
  const log = await createLog(settings.logLevel, audience);
  const registries = loadRegistries(settings, log);
  await noticeUnknownTools(settings, registries, log);
  const { opened, token } = await startStore(settings, log, {
    registries,
    waitFor: (work) => unlessSignalled({ work, signalled }, log),
  });
  const server = await startServer({ settings, log, registries, opened });
  const credentialsPath = opened.folder?.credentialsPath ?? null;
  welcome({ baseUrl: server.baseUrl, token, credentialsPath }, log, audience);
  // Now and not at the end: what is killed keeps nothing for the next start.
  flushCompileCache();
  const signal = await signalled;
  log.info({ signal }, "stopping: finishing the requests under way");
  const stop = async (answered: () => void): Promise<boolean> => {
    await server.stop(answered);
    return true;
  };
  return stopInTime({ stop, seconds: stopSeconds(settings) }, log);
}

function refuseUnshared({ databaseUrl }: Settings): void {
  if (databaseUrl.kind !== "sqlite" || databaseUrl.path !== ":memory:") return;
  throw new CommandFailure(
    EXIT.usage,
    "Several workers need a database that they share: sqlite::memory: is one for each process. " +
      "Use sqlite:PATH or postgres://…, or --workers 1.",
  );
}
