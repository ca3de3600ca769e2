/**
 * The address by which a client reaches the server, without `/scim/v2`.
 * @module
 */
import type { FastifyRequest } from "fastify";
import type { Settings } from "../settings/table.ts";

/** What the address depends on. */
type AddressSettings = Pick<Settings, "baseUrl" | "trustProxy">;

/** A proxy may hand on what its client made up: beside this form, it has to be an address that can be parsed. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The setting where there is one; behind a trusted proxy what it forwards, where that makes an origin; else the address and
 * port that the connection came in on. The Host header alone is never believed: a client could make others follow it.
 */
export function publicUrlOf(settings: AddressSettings): string | ((request: FastifyRequest) => string) {
  const { baseUrl, trustProxy } = settings;
  if (baseUrl !== null) return baseUrl;
  const localUrl = localUrls();
  if (trustProxy === null) return localUrl;
  return (request) => {
    const isProxy = trustProxy(request.socket.remoteAddress ?? "");
    const forwarded = isProxy ? `${request.protocol}://${request.host}` : "";
    const isOrigin = ORIGIN.test(forwarded) && URL.canParse(forwarded);
    return isOrigin ? forwarded : localUrl(request);
  };
}

/** Makes what tells the origin that a connection came in on: mostly the same as that of the request before. */
function localUrls(): (request: FastifyRequest) => string {
  let last = { address: "", port: 0, url: "" };
  return ({ socket: { localAddress = "127.0.0.1", localPort = 80 } }) => {
    if (last.address !== localAddress || last.port !== localPort)
      last = { address: localAddress, port: localPort, url: originOf(localAddress, localPort) };
    return last.url;
  };
}

/** The origin of an address: `http://127.0.0.1:8080`, `http://[::1]:8080`. */
export function originOf(host: string, port: number): string {
  // A socket for both families shows IPv4 addresses in IPv6 form.
  const plain = host.replace(/^::ffff:(?=[0-9.]+$)/, "");
  return `http://${plain.includes(":") ? `[${plain}]` : plain}:${port}`;
}
