/**
 * Answers what is no HTTP request that could reach a route: headers too large, a timeout, a broken request, an
 * expectation.
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { errorResponse, statusResponse, type TextResponse } from "@scim/http";
import { ScimError } from "@scim/schemas";
import { SECURE_HEADERS } from "./answer-headers.ts";
import { STATUS_CODES } from "./node-http.ts";

/** The answer by the code that Node.js gives. */
function refusalOf(code: string | undefined): TextResponse {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return errorResponse(
        new ScimError(
          "headersTooLarge",
          "The headers are larger than 64 KiB, or too many; send a shorter filter or fewer headers.",
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
  const length = { "content-length": String(Buffer.byteLength(text)), connection: "close" };
  const lines = Object.entries({ ...SECURE_HEADERS, ...headers, ...length }).map((pair) => pair.join(": "));
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", text].join("\r\n"));
}

/** Answers a request that expects what is not offered: of expectations there is `100-continue` alone (RFC 9110 §10.1.1). */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, headers, body } = statusResponse(417, "Of expectations, 100-continue alone is met.");
  response.writeHead(status, { ...SECURE_HEADERS, ...headers, connection: "close" }).end(body);
}
