/**
 * Which addresses a service may call on the word of somebody else: those of the public internet, so that no receiver
 * reaches what only the service can.
 * @module
 */
import ipaddr from "ipaddr.js";

/** What a service allows beyond the public internet and TLS. */
export interface AllowedAddresses {
  /** Addresses of private networks and of the machine itself. */
  readonly privateAddresses: boolean;
  /** `http:` beside `https:`. */
  readonly plainHttp: boolean;
}

/** What would allow each, as whoever is told may know it, such as the name of a setting. */
export type AddressesLiftedBy = Readonly<Record<keyof AllowedAddresses, string>>;

/** Longest address, in characters. */
const LONGEST = 2048;

/** A parser of addresses leaves out ends of lines and the like: what is called would be another address than what is shown. */
const UNSEEN = /[\s\p{Cc}]/u;

/** What of IPv6 is given to networks of the internet (RFC 4291 §2.4): forms that stand for an IPv4 address are outside it. */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local, shared, multicast, reserved,
 * nor one that stands for an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address in the form of an IPv6 one is judged as what it is.
  const judged = ipaddr.process(address);
  if (judged.range() !== "unicast") return false;
  return judged.kind() === "ipv4" || judged.match(GLOBAL_UNICAST);
}

/**
 * What is wrong with an address that is to be called, as the end of a sentence that begins with it; null for nothing. What a
 * name leads to is found out when it is called.
 * @param liftedBy what would allow an address that is refused. Default: nothing is named
 */
export function faultOfUrl(
  text: string,
  allowed: AllowedAddresses,
  liftedBy?: AddressesLiftedBy,
): string | null {
  const url = text.length <= LONGEST ? URL.parse(text) : null;
  if (url === null) return `must be an absolute address of at most ${LONGEST} characters`;
  if (UNSEEN.test(text)) return "must hold neither white space nor control characters";
  const schemes = allowed.plainHttp ? ["https:", "http:"] : ["https:"];
  if (!schemes.includes(url.protocol)) {
    return `must begin with https:${unless("http:", liftedBy?.plainHttp)}`;
  }
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password";
  if (url.hash !== "") return "must not hold a fragment";
  if (!allowed.privateAddresses && isKnownPrivate(url.hostname)) {
    return `must not lead to a private network${unless("it", liftedBy?.privateAddresses)}`;
  }
  return null;
}

function unless(what: string, allows: string | undefined): string {
  return allows === undefined ? "" : `, unless the service allows ${what} (${allows})`;
}

/**
 * An address as those see it who change no receiver: where it leads, without path and query, which often open it, as in
 * `https://hooks.example/…`.
 */
export function withoutWay(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname, search } = new URL(url);
  return pathname === "/" && search === "" ? url : `${origin}/…`;
}

/** Names of the machine itself, wherever they are looked up (RFC 6761 §6.3). */
const OF_THIS_MACHINE = /(?:^|\.)localhost\.?$/;

/** Whether the host of an address leads to a private network, without anything being looked up. */
function isKnownPrivate(hostname: string): boolean {
  const literal = addressOfHost(hostname);
  return literal === null ? OF_THIS_MACHINE.test(hostname) : !isPublicAddress(literal);
}

/** The IP address that the host of an address is; null where it is a name. */
export function addressOfHost(hostname: string): string | null {
  const bare = hostname.replace(/^\[(?<inner>.*)\]$/, "$<inner>");
  return ipaddr.isValid(bare) ? bare : null;
}
