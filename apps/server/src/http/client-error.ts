/**
 * Answers what is no HTTP request that could reach a route: headers too large, a timeout, a broken request.
 * @module
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { errorResponse, statusResponse, type TextResponse } from "@scim/http";
import { ScimError } from "@scim/schemas";

/** The answer by the code that Node.js gives. */
function refusalOf(code: string | undefined): TextResponse {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return errorResponse(
        new ScimError(
          "headersTooLarge",
          "The headers are larger than 64 KiB; send a shorter filter or fewer headers.",
        ),
      );
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return statusResponse(408, "The request did not arrive in time; send it again.");
    default:
      return statusResponse(400, "This is not a valid HTTP request.");
  }
}

/** Answers with a SCIM Error and closes the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refusalOf(error.code);
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
