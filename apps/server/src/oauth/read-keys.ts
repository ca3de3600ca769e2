/**
 * Reads the public keys of a foreign issuer: over TLS from the public internet, within bounds of time and size.
 * @module
 */
import { lookup, type LookupAddress } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** Time for an answer, in milliseconds. */
const TIMEOUT_MS = 5000;
/** Greatest set of keys, in bytes (256 KiB); Entra's has 20. */
const MOST_BYTES = 262_144;

/**
 * Makes what reads keys. Redirects are not followed.
 * @param allowPrivate whether plain HTTP and addresses of private networks are called too
 */
export function createKeyReader(allowPrivate: boolean): (address: string) => Promise<unknown> {
  return async (address) => {
    const url = new URL(address);
    if (!allowPrivate) requirePublic(url);
    const text = await read(url, allowPrivate ? undefined : publicLookup);
    return JSON.parse(text) as unknown;
  };
}

function requirePublic({ protocol, hostname }: URL): void {
  if (protocol !== "https:") throw new TypeError("keys of issuers are read by https alone");
  const host = hostname.replace(/^\[(?<inner>.*)\]$/, "$<inner>");
  // Names are looked up where the connection is made, so that what was checked is what is called.
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw notPublic();
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: readonly LookupAddress[]) => {
    if (error !== null) return callback(error, []);
    const isPublic = found.length > 0 && found.every(({ address }) => isPublicAddress(address));
    if (!isPublic) return callback(notPublic(), []);
    const [first] = found;
    return options.all === true
      ? callback(null, [...found])
      : callback(null, first?.address ?? "", first?.family);
  });
};

function notPublic(): TypeError {
  return new TypeError("the address is not one of the public internet");
}

async function read(url: URL, look: LookupFunction | undefined): Promise<string> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const headers = { accept: "application/jwk-set+json, application/json" };
    const options = {
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(look === undefined ? {} : { lookup: look }),
    };
    send(url, options, resolve).once("error", reject).end();
  });
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new TypeError(`the address answered ${answer.statusCode ?? 0}`);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new TypeError(`the keys are larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
