/**
 * Ends a worker that answers nothing any more, such as one that the system has stopped, or that goes round in a circle: what
 * else asks how the server is, some other worker answers.
 * @module
 */
import type { Worker } from "node:cluster";
import { isAlive, type AskWhetherAlive } from "./messages.ts";

/** Milliseconds between two questions. */
const BEAT_MS = 5000;

/**
 * Questions that go unanswered before a worker is ended: two minutes of them. A statement that waits for SQLite's lock keeps it
 * from its messages for a minute at most (`sqlite.busyTimeout`). They are counted, and no time is: a machine that slept wakes
 * both processes at once.
 */
const MOST_UNANSWERED = 24;

/** Asks a worker again and again, from its start on, until it ends or says that it will. */
export function endWhereSilent(worker: Worker, onSilent: (seconds: number) => void): void {
  let unanswered = 0;
  worker.on("message", (message: unknown) => {
    if (isAlive(message)) unanswered = 0;
  });
  const timer = setInterval(() => {
    if (unanswered >= MOST_UNANSWERED) {
      clearInterval(timer);
      onSilent((unanswered * BEAT_MS) / 1000);
      worker.process.kill("SIGKILL");
      return;
    }
    unanswered += 1;
    const question: AskWhetherAlive = { kind: "ask-whether-alive" };
    worker.send(question, () => undefined);
  }, BEAT_MS);
  for (const end of ["exit", "disconnect"]) worker.once(end, () => clearInterval(timer));
}
