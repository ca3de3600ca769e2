/**
 * Connections that were handed to a worker which died before it took them. Node.js keeps each in the first process until the worker
 * says that it has it, and never lets go of it where that does not come: its client would wait for an answer until it gives up.
 * @module
 */
import type { ChildProcess } from "node:child_process";

/** A connection on its way to a worker. */
interface Handed {
  /** Number of the message that it goes with. */
  readonly number: number;
  readonly close: () => void;
}

/** Milliseconds in which all is read that a worker which has ended had said. */
const LAST_WORDS_MS = 100;

/** Closes what a worker has not taken when it ends, as the system does with all that it had. */
export function closeWhatIsNotTaken(worker: ChildProcess): void {
  const handed = new Map<number, Handed>();
  const send = worker.send.bind(worker);
  // Node.js hands connections over by this method, whose forms differ in what follows the message.
  worker.send = ((...sent: Parameters<typeof send>) => {
    const each = handedBy(sent);
    if (each !== null) handed.set(each.number, each);
    return send(...sent);
  }) as typeof worker.send;
  worker.on("internalMessage", (message: unknown) => handed.delete(numberIn(message, "ack")));
  // The end of the channel is not told where something is on its way.
  worker.once("exit", () => {
    setTimeout(() => {
      for (const { close } of handed.values()) close();
    }, LAST_WORDS_MS).unref();
  });
}

function handedBy([message, handle]: readonly unknown[]): Handed | null {
  if (typeof handle !== "object" || handle === null || !("close" in handle)) return null;
  const { close } = handle;
  const number = numberIn(message, "seq");
  if (Number.isNaN(number) || typeof close !== "function") return null;
  return { number, close: () => void Reflect.apply(close, handle, []) };
}

/** A number that a message of Node.js bears; NaN where it bears none. */
function numberIn(message: unknown, name: string): number {
  if (typeof message !== "object" || message === null) return Number.NaN;
  return Number(Reflect.get(message, name) ?? Number.NaN);
}
