/**
 * Bodies that are answered before they have come: whoever sent one is told that the connection ends (RFC 9112 §9.3, §9.6).
 * @module
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hasArrived } from "./arrived-body.ts";

/** How long the rest of a body is taken and thrown away, in milliseconds, so that its sender reads the answer. */
const LINGERING = 30_000;

type WriteHead = (...head: Parameters<ServerResponse["writeHead"]>) => ServerResponse;

/**
 * Ends the connection with each answer that is given before the whole body of its request has come, such as one to a client
 * without a token. Node.js itself keeps it, and takes what comes next for the rest of that body: a proxy that gives the body
 * up, as it has its answer, and sends the next request in the same connection (HAProxy does), sends that of another client
 * into it. The rest is thrown away until it has come or for half a minute, since a connection that is cut earlier loses the answer.
 */
export function closeAfterUnreadBodies(server: Server): void {
  // Before what may answer at once.
  server.prependListener("request", (request, response) => {
    const { "content-length": stated, "transfer-encoding": coding } = request.headers;
    if (coding === undefined && Number(stated ?? 0) === 0) return;
    const writeHead: WriteHead = response.writeHead.bind(response);
    const first: WriteHead = (...head) => {
      if (!hasArrived(request)) closeAfter(request, response);
      return writeHead(...head);
    };
    Object.assign(response, { writeHead: first });
  });
}

function closeAfter(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  const { socket } = request;
  // What Node.js calls when the answer has been sent: by itself it lets go of what has not come, and resets the connection.
  socket.destroySoon = () => {
    Reflect.deleteProperty(socket, "destroySoon");
    if (request.complete || request.closed) socket.destroySoon();
    else linger(request, socket);
  };
}

function linger(request: IncomingMessage, socket: Socket): void {
  const end = (): void => {
    clearTimeout(late);
    socket.destroySoon();
  };
  const late = setTimeout(end, LINGERING);
  request.once("close", end);
  socket.once("close", end);
  socket.end();
  request.resume();
}
