/**
 * What clients may take of time and connections: one that sends or reads slowly must not hold what others need.
 * @module
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyHttpOptions, FastifyInstance } from "fastify";
import type { Settings } from "../settings/table.ts";

/** Greatest size of all headers of a request, in bytes (64 KiB): a filter of full length, percent-encoded, fits. */
const MAX_HEADER_SIZE = 65_536;

/** Longest time between two looks for requests that are late, in milliseconds. */
const LONGEST_LOOK = 5000;

/** The settings that bound clients. */
export type ClientSettings = Pick<
  Settings,
  | "client.headersTimeout"
  | "client.requestTimeout"
  | "client.idleTimeout"
  | "client.keepAliveTimeout"
  | "client.maxConnections"
>;

/** The options of Fastify that bound clients. */
type ClientLimits = Pick<
  FastifyHttpOptions<Server>,
  "requestTimeout" | "connectionTimeout" | "keepAliveTimeout" | "http"
>;

/** The bounds, as Fastify and Node.js take them. */
export function clientLimits(settings: ClientSettings): ClientLimits {
  const requestTimeout = settings["client.requestTimeout"];
  const headersTimeout = Math.min(settings["client.headersTimeout"], requestTimeout);
  return {
    requestTimeout,
    connectionTimeout: settings["client.idleTimeout"],
    keepAliveTimeout: settings["client.keepAliveTimeout"],
    http: {
      maxHeaderSize: MAX_HEADER_SIZE,
      // Refused by a hook, with a body that says why.
      requireHostHeader: false,
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.min(LONGEST_LOOK, headersTimeout),
    },
  };
}

/** Bounds the connections of an application, which does not listen yet. */
export function limitConnections(app: FastifyInstance, settings: ClientSettings): void {
  const maxConnections = settings["client.maxConnections"];
  // Else one of several processes would hand what is too much to the next, and that one too. The types do not know of it yet.
  Object.assign(app.server, { maxConnections, dropMaxConnection: true });
  cutIdleClients(app.server);
}

/**
 * Cuts connections on which nothing moves, but where it is the server that is waited for: its work has bounds of its own,
 * and a client that is cut would not learn what became of its change. It is waited for too where it does not take what was
 * sent: a long body has its turn.
 */
function cutIdleClients(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on("request", (request, response) => answers.set(request.socket, response));
  server.on("timeout", (socket: Socket) => {
    const answer = answers.get(socket);
    if (answer === undefined || !isAwaited(answer)) socket.destroy();
  });
}

/**
 * Whether a client has sent all of its request, or all that the server takes of it, and has taken all that there is of its answer,
 * be it nothing yet or what has been made so far.
 */
function isAwaited({ req, headersSent, writableEnded, writableLength }: ServerResponse): boolean {
  if (headersSent) return !writableEnded && writableLength === 0;
  return req.complete || req.readableLength > 0;
}
