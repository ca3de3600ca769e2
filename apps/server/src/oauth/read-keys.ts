/**
 * Reads the public keys of a foreign issuer: over TLS from the public internet, within bounds of time and size.
 * @module
 */
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";
import { type FindAddresses, guardedLookup } from "../delivery/guarded-lookup.ts";
import { request as requestHttp } from "../http/node-http.ts";
import { createKeyAddressFault, keyAddresses } from "./key-address.ts";

/** Time for an answer, in milliseconds. */
const TIMEOUT_MS = 5000;
/** Greatest set of keys, in bytes (256 KiB); Entra's has 20. */
const MOST_BYTES = 262_144;

/**
 * Makes what reads keys. Redirects are not followed.
 * @param allowPrivate whether plain HTTP and addresses of private networks are called too
 * @param find finds the addresses of a name. Default: what the machine knows, and its name servers
 */
export function createKeyReader(
  allowPrivate: boolean,
  find?: FindAddresses,
): (address: string) => Promise<unknown> {
  const allowed = keyAddresses(allowPrivate);
  const faultOf = createKeyAddressFault(allowPrivate);
  const lookup = guardedLookup({ allowed, ...(find === undefined ? {} : { find }) });
  return async (address) => {
    const fault = faultOf(address);
    if (fault !== null) throw new TypeError(`the address of the keys ${fault}`);
    const url = new URL(address);
    const send = url.protocol === "https:" ? requestHttps : requestHttp;
    const answered = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { accept: "application/jwk-set+json, application/json" };
      send(url, { headers, lookup, signal: AbortSignal.timeout(TIMEOUT_MS) }, resolve)
        // An answer that would change the protocol has no other event.
        .once("upgrade", (answer: IncomingMessage, socket: Duplex) => {
          socket.destroy();
          resolve(answer);
        })
        .once("error", reject)
        .end();
    });
    return JSON.parse(await textOf(answered)) as unknown;
  };
}

async function textOf(answer: IncomingMessage): Promise<string> {
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
