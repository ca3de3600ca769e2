/**
 * `scim serve`: runs the server until it is told to stop.
 * @module
 */
import { isAbsolute, relative } from "node:path";
import type { Logger } from "pino";
import { EXIT, type ExitCode } from "../failure.ts";
import { createLog } from "../log.ts";
import { startServer, type RunningServer } from "../serve.ts";
import type { Settings } from "../settings/table.ts";

/** Runs the server. Resolves to the exit code once it has stopped. */
export async function serve(settings: Settings): Promise<ExitCode> {
  const terminal = process.stdout.isTTY;
  const log = await createLog(settings.logLevel, terminal);
  const stop = stopSignal();
  const server = await startServer(settings, log);
  welcome(server, log, terminal);
  const signal = await stop;
  log.info({ signal }, "stopping: finishing the requests under way");
  return stopInTime(server, settings["stop.timeout"], log);
}

/** Resolves on the first SIGTERM or SIGINT; the second ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT.failed);
        asked = true;
        resolve(signal);
      });
    }
  });
}

async function stopInTime(server: RunningServer, seconds: number, log: Logger): Promise<ExitCode> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), seconds * 1000);
  const outcome = await Promise.race([server.stop(), late]);
  clearTimeout(timer);
  if (outcome === "late") {
    log.error({ seconds }, "stopped with requests under way");
    log.flush();
    // Their connections would keep the process alive.
    process.exit(EXIT.failed);
  }
  log.info("stopped");
  return EXIT.ok;
}

/** Tells where the server is and how to call it; to people on the terminal, else on standard error. */
function welcome(server: RunningServer, log: Logger, terminal: boolean): void {
  log.info({ baseUrl: server.baseUrl, token: tokenPlace(server) }, "SCIM is served");
  const out = terminal ? process.stdout : process.stderr;
  out.write(`\n  SCIM 2.0   ${server.baseUrl}\n${tokenLines(server, terminal)}\n\n`);
}

function tokenPlace(server: RunningServer): string {
  return server.token.kind === "given" ? "setting" : server.credentialsPath;
}

function tokenLines(server: RunningServer, terminal: boolean): string {
  const file = shownPath(server.credentialsPath);
  const { token } = server;
  switch (token.kind) {
    case "given":
      return lines(["Token", "as SCIM_TOKEN gives it"], ["Try", curl("$SCIM_TOKEN", server.baseUrl)]);
    case "made":
      return lines(
        ["Token", terminal ? `${token.text}, kept in ${file}` : `in ${file}`],
        ["Try", curl(`$(sed -n 's/^SCIM_TOKEN=//p' ${file})`, server.baseUrl)],
      );
    case "kept":
      return lines(
        ["Token", `made on an earlier start, in ${file}; make another with: ${program()} token create`],
        ["Try", curl(`$(sed -n 's/^SCIM_TOKEN=//p' ${file})`, server.baseUrl)],
      );
  }
}

/** How this program is called: in a clone of the repository, by its script. */
function program(): string {
  return process.env["npm_lifecycle_event"] === undefined ? "scim" : "npm run --silent scim --";
}

function lines(...rows: readonly (readonly [string, string])[]): string {
  return rows.map(([name, text]) => `  ${name.padEnd(10)} ${text}`).join("\n");
}

function curl(token: string, baseUrl: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${baseUrl}/Users`;
}

/** A path as a shell takes it, short where it is below the working directory. */
function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  const short = below.startsWith("..") || isAbsolute(below) ? path : below;
  return /^[\w./-]+$/.test(short) ? short : `'${short.replaceAll("'", String.raw`'\''`)}'`;
}
