/**
 * Answers what is no HTTP request that could reach a route: headers too large, a timeout, a broken request.
 * @module
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { statusResponse } from "@scim/http";

/** Status and detail by the code that Node.js gives. */
const REFUSALS: ReadonlyMap<string, readonly [status: number, detail: string]> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    [431, "The headers are larger than 64 KiB; send a shorter filter or fewer headers."],
  ],
  ["ERR_HTTP_REQUEST_TIMEOUT", [408, "The request did not arrive in time; send it again."]],
]);

/** Answers with a SCIM Error and closes the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = REFUSALS.get(error.code ?? "") ?? [400, "This is not a valid HTTP request."];
  const { headers, body } = statusResponse(status, detail);
  const text = body ?? "";
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      `Content-Type: ${headers["content-type"] ?? ""}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
      "Connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}
