/**
 * Which network addresses belong to the public internet: what an administrator of a tenant enters must not lead the
 * server to what stands beside it.
 * @module
 */
import { BlockList, isIP, isIPv6 } from "node:net";

/** Ranges that are private, of this machine, or reserved (RFC 6890 and its like), with their prefixes. */
const RESERVED: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
/** Global unicast of IPv6, without what stands for IPv4 addresses, for documentation and for tunnels. */
const GLOBAL_IPV6: readonly (readonly [string, number])[] = [["2000::", 3]];
const RESERVED_IPV6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const reserved = new BlockList();
for (const [net, prefix] of RESERVED) reserved.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of RESERVED_IPV6) reserved.addSubnet(net, prefix, "ipv6");
const global = new BlockList();
for (const [net, prefix] of GLOBAL_IPV6) global.addSubnet(net, prefix, "ipv6");

/** Whether a text is an IP address of the public internet; an IPv4 address in IPv6 form is none. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv6(address)) return global.check(address, "ipv6") && !reserved.check(address, "ipv6");
  return !reserved.check(address, "ipv4");
}
