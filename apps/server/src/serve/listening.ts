/**
 * The socket of the server: where it listens, and how its connections end.
 * @module
 */
import type { FastifyInstance } from "fastify";
import { CommandFailure, EXIT } from "../failure.ts";
import { originOf } from "../http/public-url.ts";
import type { Settings } from "../settings/table.ts";

/** Where a server listens. */
export interface Listening {
  readonly port: number;
  /** Where this machine reaches it: `http://127.0.0.1:8080`. */
  readonly origin: string;
}

/**
 * Begins to listen.
 * @throws CommandFailure where the port cannot be used
 */
export async function listenAt(
  app: FastifyInstance,
  { host, port }: Pick<Settings, "host" | "port">,
): Promise<Listening> {
  const bound = Number(new URL(await bind(app, { host, port })).port || 80);
  return { port: bound, origin: originOf(reachableHost(host), bound) };
}

async function bind(app: FastifyInstance, { host, port }: Pick<Settings, "host" | "port">): Promise<string> {
  try {
    return await app.listen({ host: addressOf(host), port });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(
      EXIT.failed,
      `Cannot listen on ${host} port ${port}: ${reason}. Choose others by --host and --port, or stop what has them.`,
      cause,
    );
  }
}

/**
 * The one address of `localhost`. Fastify would listen on each that the machine calls so by a server of its own, which knows
 * nothing of the bounds of clients, and is not waited for when the first one stops.
 */
function addressOf(host: string): string {
  return host === "localhost" ? "127.0.0.1" : host;
}

/** An address of this machine for one that stands for all of them. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return host === "::" ? "::1" : host;
}

/** How often connections that have become idle are closed during a stop, in milliseconds. */
const IDLE_LOOK_MS = 50;

/**
 * Takes no more connections, and waits for the requests under way. A connection that is kept
 * although its answer was on its way already is closed as soon as it is idle.
 */
export async function closeListening(app: FastifyInstance): Promise<void> {
  const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
  try {
    await app.close();
  } finally {
    clearInterval(timer);
  }
}
