/**
 * Credentials over plain HTTP: whoever is on the way can read them, and act with them.
 * @module
 */
import { UsageError } from "../errors/usage-error.ts";
import type { Transport } from "../transport/port.ts";
import type { Credentials } from "./credentials.ts";

/** What is done where credentials would go over plain HTTP to another machine. */
export type PlainHttp = "warn" | "allow" | "refuse";

/** A name or an address of this machine (RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3). */
const THIS_MACHINE = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Origins that were warned of. */
const warned = new Set<string>();

/** What is sent, and what is done where others can read it. */
export interface SentCredentials {
  /** Null where none are sent. */
  readonly auth?: string | Credentials | null;
  /** Default `warn`. */
  readonly plainHttp?: PlainHttp;
}

/**
 * Looks at where credentials go: to the service, and to where its tokens come from. By `warn`, a sentence goes to the
 * console, once for each origin.
 * @param address absolute address of the service
 * @throws {@link UsageError} `plainHttp` by `refuse`
 */
export function watchPlainHttp(
  address: string,
  { auth = null, plainHttp = "warn" }: SentCredentials,
  transport: Pick<Transport, "isLocal">,
): void {
  if (auth === null || plainHttp === "allow") return;
  watch({ address, transport }, plainHttp);
  const endpoint = typeof auth === "string" ? undefined : auth.tokenEndpoint;
  if (endpoint === undefined) return;
  watch({ address: endpoint.address, transport: endpoint.transport ?? transport }, plainHttp);
}

function watch(
  { address, transport }: { readonly address: string; readonly transport: Pick<Transport, "isLocal"> },
  plainHttp: "warn" | "refuse",
): void {
  const { protocol, hostname, origin } = new URL(address);
  if (transport.isLocal === true || protocol !== "http:" || THIS_MACHINE.test(hostname)) return;
  const what = `Credentials for ${origin} go over plain HTTP, where they can be read on the way.`;
  if (plainHttp === "refuse") throw new UsageError("plainHttp", what);
  if (warned.has(origin)) return;
  warned.add(origin);
  // oxlint-disable-next-line no-console -- on every platform, this reaches whoever runs the program
  console.warn(`${what} Use https.`);
}
