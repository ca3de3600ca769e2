/**
 * Bodies that wait to be invited: requests with `Expect: 100-continue` (RFC 9110 §10.1.1).
 * @module
 */
import type { Server } from "node:http";

/**
 * Invites the body of a request when somebody begins to read it: not before it is known who sends it, and never where the
 * answer does not depend on it. Node.js itself invites every one.
 */
export function inviteBodiesThatAreRead(server: Server): void {
  server.on("checkContinue", (request, response) => {
    const { shouldKeepAlive } = response;
    // Who is answered without having been invited need not send the body: what comes next could be either.
    response.shouldKeepAlive = false;
    // oxlint-disable-next-line no-underscore-dangle -- what Node.js calls when somebody begins to read a stream
    request._read = (size) => {
      Reflect.deleteProperty(request, "_read");
      if (!response.headersSent) {
        response.shouldKeepAlive = shouldKeepAlive;
        response.writeContinue();
      }
      // oxlint-disable-next-line no-underscore-dangle -- that of the class by now
      request._read(size);
    };
    server.emit("request", request, response);
  });
}
