/**
 * A sink of secrets that takes no time, and counts what it is given.
 */
import { createHash } from "node:crypto";
import type { SecretSink } from "../../src/index.ts";

/** A sink, and the values that it hashed so far. */
export interface TestSink extends SecretSink {
  readonly hashed: readonly string[];
}

/** Makes a sink: each hash has another salt. */
export function testSink(): TestSink {
  const hashed: string[] = [];
  const digest = (salt: string, value: string): string =>
    `$test$${salt}$${createHash("sha256").update(`${salt} ${value}`).digest("base64url")}`;
  return {
    hashed,
    hash: async (_scope, value) => {
      hashed.push(value);
      return digest(String(hashed.length), value);
    },
    matches: async (_scope, value, hash) => hash !== null && digest(hash.split("$")[2] ?? "", value) === hash,
  };
}
