/**
 * Sends an answer by `node:http` or `node:http2`.
 * @module
 */
import { addAbortSignal, pipeline, Readable } from "node:stream";
import type { BodyStream } from "../body-stream.ts";
import type { HttpResponse } from "../message.ts";
import { isClosed } from "./answer-over.ts";
import type { NodeResponse } from "./framework-request.ts";

/** Sends an answer, beside the headers that the application has set. A body that fails cuts the connection. */
export function sendAnswer(response: NodeResponse, { status, headers, body }: HttpResponse): void {
  if (isClosed(response) || response.headersSent) {
    // The client is gone, or the application has answered in the meantime.
    if (body !== null && typeof body !== "string") body.cancel().catch(() => undefined);
    return;
  }
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === null || typeof body === "string") response.end(body ?? "");
  // Whoever watches the body is told how it ended.
  else pipeline(readableOf(body), response, () => undefined);
}

/**
 * A body as a stream of Node.js, which reads no more ahead than the client takes: pieces are counted by their size. It fails
 * where the client takes too long.
 */
export function readableOf(body: BodyStream): Readable {
  return addAbortSignal(body.signal, Readable.from(body, { objectMode: false }));
}
