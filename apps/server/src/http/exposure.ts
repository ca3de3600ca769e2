/**
 * The server speaks plain HTTP: whoever opens it to others must say that TLS is in front.
 * @module
 */
import { BlockList, isIP } from "node:net";
import { CommandFailure, EXIT } from "../failure.ts";
import type { Settings } from "../settings/table.ts";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether an address to listen on can be reached from this machine alone. Of names only `localhost` is believed. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host === "localhost";
  return LOOPBACK.check(host, family === 6 ? "ipv6" : "ipv4");
}

/**
 * Checks that a server that others can reach is declared to be behind TLS.
 * @throws CommandFailure with what to declare
 */
export function requireDeclaredExposure({ host, exposed }: Pick<Settings, "host" | "exposed">): void {
  if (exposed === "behind-tls" || isLoopback(host)) return;
  throw new CommandFailure(
    EXIT.usage,
    `The server speaks plain HTTP, and would listen on ${host}, which others can reach: tokens would pass in clear text. ` +
      "Put TLS in front and declare it with --exposed behind-tls (SCIM_EXPOSED=behind-tls), or listen on 127.0.0.1.",
  );
}
