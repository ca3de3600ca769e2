/**
 * A port that nothing else can listen on.
 * @module
 */
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** The number of a port on which the process of the test listens until the test ends. */
export async function takenPort(): Promise<string> {
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  // It listens on a port, and so has an address of that form.
  return String((taken.address() as AddressInfo).port);
}
