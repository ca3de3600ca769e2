/**
 * Compares tokens with bcrypt hashes, off the thread of the requests: each takes a tenth of a second or so.
 * @module
 */
import { parentPort } from "node:worker_threads";
import { compareSync } from "bcryptjs";
import type { BcryptAnswer, BcryptQuestion } from "./bcrypt-messages.ts";

parentPort?.on("message", ({ id, text, hash }: BcryptQuestion) => {
  const answer: BcryptAnswer = { id, equal: compareSync(text, hash) };
  parentPort?.postMessage(answer, []);
});
