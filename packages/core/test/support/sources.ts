/**
 * Time, ids and hashes that count.
 * @module
 */
import { createHash } from "node:crypto";
import type { Sources } from "../../src/index.ts";

/** Sources whose clock moves a second at every look, and whose ids and nonces count. */
export function testSources(): Sources {
  let ticks = 0;
  let ids = 0;
  let nonces = 0;
  return {
    now: () => Date.UTC(2026, 0, 1) + (ticks += 1) * 1000,
    newId: () => `id-${String((ids += 1))}`,
    newNonce: () => `nonce${String((nonces += 1))}`,
    digest: (text) => createHash("sha256").update(text).digest("base64url").slice(0, 22),
  };
}
