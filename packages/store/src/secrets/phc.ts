/**
 * Hashes as text that says how they were made: PHC strings, which other programs read too.
 * @module
 */

/** A hash by scrypt (RFC 7914), with what it was made with. */
export interface ScryptHash {
  /** Binary logarithm of the cost N. */
  readonly costLog: number;
  /** Block size r. */
  readonly blockSize: number;
  /** Parallelization p. */
  readonly parallelization: number;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

const FORM =
  /^\$scrypt\$ln=(?<ln>\d{1,2}),r=(?<r>\d{1,2}),p=(?<p>\d{1,2})\$(?<salt>[A-Za-z0-9+/]{11,86})\$(?<key>[A-Za-z0-9+/]{22,86})$/;

/** The text of a hash: `$scrypt$ln=…,r=…,p=…$salt$hash`, both in base64 without padding. */
export function phcText({ costLog, blockSize, parallelization, salt, key }: ScryptHash): string {
  const settings = `ln=${String(costLog)},r=${String(blockSize)},p=${String(parallelization)}`;
  return `$scrypt$${settings}$${base64(salt)}$${base64(key)}`;
}

/** Reads the text of a hash; null where it is none by scrypt, or one that asks for more than {@link MOST_MEMORY}. */
export function readPhc(text: string): ScryptHash | null {
  const { ln, r, p, salt, key } = FORM.exec(text)?.groups ?? {};
  if (salt === undefined || key === undefined) return null;
  const hash = {
    costLog: Number(ln),
    blockSize: Number(r),
    parallelization: Number(p),
    salt: Buffer.from(salt, "base64"),
    key: Buffer.from(key, "base64"),
  };
  const isSound = hash.costLog > 0 && hash.blockSize > 0 && hash.parallelization > 0;
  return isSound && memoryOf(hash) <= MOST_MEMORY ? hash : null;
}

/** Most bytes that a hash may need (256 MiB): a row must not be able to take all there is. */
const MOST_MEMORY = 268_435_456;

/** Bytes that it takes to make a hash. */
export function memoryOf({ costLog, blockSize, parallelization }: Omit<ScryptHash, "salt" | "key">): number {
  return 128 * blockSize * (2 ** costLog + parallelization + 2);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}
