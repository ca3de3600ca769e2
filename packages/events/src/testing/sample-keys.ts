/**
 * Digests for tests: fast and without secrets.
 * @module
 */
import type { AuditKeys, DigestKey } from "../keys.ts";

const PRIME = 0x0100_0193;

/** A digest that is no use outside tests: FNV-1a from several beginnings. */
function toyDigest(text: string): string {
  return [0x811c_9dc5, 0x1234_5678, 0x0bad_cafe, 0x7eed_f00d, 0x5eed_5eed, 0x2b99_2ddf]
    .map((start) => {
      let hash = start;
      for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
      return (hash >>> 0).toString(36).padStart(7, "0");
    })
    .join("");
}

/** A key whose secret is its id. */
export function sampleKey(id: string): DigestKey {
  return { id, secret: new TextEncoder().encode(id.padEnd(32, ".")) };
}

/** What the audit log of a test is made with. */
export const SAMPLE_KEYS: AuditKeys = {
  keys: [sampleKey("k2"), sampleKey("k1")],
  hmac: (secret, text) => toyDigest(`${secret.join(",")}\n${text}`),
  digest: toyDigest,
};
