/**
 * Tells the process that started this one which port it listens on.
 * @module
 */
import type { Server } from "node:http";

/** Sends `{ port }` to the parent process. */
export function tellAddress(server: Server): void {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  process.send?.({ port: address.port });
}
