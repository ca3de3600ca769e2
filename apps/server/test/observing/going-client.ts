/**
 * A client that goes away before it has its whole answer.
 * @module
 */
import { connect } from "node:net";

/** Sends a request, and goes as soon as the server knows of it. `body` may be the beginning of a longer one. */
export async function sendAndGo(origin: string, head: readonly string[], body: string): Promise<void> {
  const { port, hostname } = new URL(origin);
  const client = connect(Number(port), hostname);
  client.write(`${head.join("\r\n")}\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n`);
  // The server asks for the body once it knows of the request, and sends what a stream begins with.
  await new Promise((resolve) => client.once("data", resolve));
  client.write(body);
  client.destroy();
}
