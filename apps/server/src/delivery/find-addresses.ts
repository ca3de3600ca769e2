/**
 * Finds the addresses of names that others chose. The system looks names up on threads, of which a process has few for this: names
 * whose name servers do not answer would hold up those of everybody, and the database's. So name servers are asked without a thread.
 * @module
 */
import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { FindAddresses } from "./guarded-lookup.ts";

/** How addresses are found. */
export interface FindOptions {
  /** Name servers, with their ports. Default: those of the machine. */
  readonly servers?: readonly string[];
  /** Milliseconds that a name server has to answer when it is first asked; the second time twice as many. Default 2000. */
  readonly timeout?: number;
  /** File of the names that the machine knows by itself. Default: where the system has it. */
  readonly hosts?: string;
  /** Asked for what no name server knows, such as names that are completed by a domain of the network. Default: the system. */
  readonly system?: FindAddresses;
}

const TIMEOUT_MS = 2000;
const TRIES = 2;
/** Milliseconds that one kind of addresses waits for the other (RFC 8305 §3). */
const OTHER_MS = 50;
const HOSTS = "/etc/hosts";
/** What is known not to be there, or of nobody to ask: the system may know it all the same. */
const UNKNOWN: ReadonlySet<string> = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "EREFUSED"]);

/** Makes what finds addresses: in the file of hosts, by name servers, and else by the system, one name at a time. */
export function addressFinder({
  servers,
  timeout = TIMEOUT_MS,
  hosts = HOSTS,
  system,
}: FindOptions = {}): FindAddresses {
  const bySystem = system === undefined ? systemInTurn : inTurn(system);
  const find = async (hostname: string): Promise<readonly LookupAddress[]> => {
    const listed = await listedAddresses(hosts, hostname);
    if (listed.length > 0) return listed;
    return (await askedAddresses(hostname, { servers, timeout })) ?? bySystem(hostname);
  };
  return (hostname, found) => {
    find(hostname).then(
      (addresses) => found(null, addresses),
      (error: unknown) => found(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

type Asking = Required<Pick<FindOptions, "timeout">> & { readonly servers: readonly string[] | undefined };

/** What name servers answer; null where they do not know the name. Rejects where they do not answer. */
async function askedAddresses(
  hostname: string,
  { servers, timeout }: Asking,
): Promise<readonly LookupAddress[] | null> {
  // Made anew each time: the name servers of a machine change while it runs.
  const resolver = new Resolver({ timeout, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const [four, six] = await answersOf(resolver, hostname);
  const addresses = [...addressesOf(four, 4), ...addressesOf(six, 6)];
  if (addresses.length > 0) return addresses;
  const code = [four, six].map(codeOf).find((each) => !UNKNOWN.has(each));
  if (code === undefined) return null;
  throw Object.assign(new Error("the name servers do not tell where it leads"), {
    code: code === "ETIMEOUT" ? "EAI_AGAIN" : code,
  });
}

/** What becomes of both questions. Some name servers keep silent of what they do not have: then addresses of one kind do. */
async function answersOf(resolver: Resolver, hostname: string): Promise<readonly [Asked, Asked]> {
  const asked = [resolver.resolve4(hostname), resolver.resolve6(hostname)] as const;
  const both = Promise.allSettled(asked);
  await Promise.race([
    both,
    Promise.any(asked).then(
      () => delay(OTHER_MS),
      () => both,
    ),
  ]);
  resolver.cancel();
  return both;
}

type Asked = PromiseSettledResult<readonly string[]>;

function addressesOf(asked: Asked, family: 4 | 6): readonly LookupAddress[] {
  return asked.status === "fulfilled" ? asked.value.map((address) => ({ address, family })) : [];
}

/** What went wrong; where nothing did, no address was found either. */
function codeOf(asked: Asked): string {
  if (asked.status === "fulfilled") return "ENODATA";
  const reason: unknown = asked.reason;
  return reason instanceof Error && "code" in reason ? String(reason.code) : "";
}

/** Addresses that the file of hosts has for a name; none where there is no such file. */
async function listedAddresses(hosts: string, hostname: string): Promise<readonly LookupAddress[]> {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const text = await readFile(hosts, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const isMeant = names.some((each) => each.toLowerCase() === name);
    return isMeant ? [{ address, family: address.includes(":") ? 6 : 4 }] : [];
  });
}

/** Looks names up one after another, so that one thread at most is taken; who asks for one that waits waits for the same answer. */
function inTurn(find: FindAddresses): (hostname: string) => Promise<readonly LookupAddress[]> {
  const waiting = new Map<string, Promise<readonly LookupAddress[]>>();
  let last: Promise<unknown> = Promise.resolve();
  return (hostname) => {
    const known = waiting.get(hostname);
    if (known !== undefined) return known;
    const asked = last.then(() => askedOf(find, hostname)).finally(() => waiting.delete(hostname));
    waiting.set(hostname, asked);
    last = asked.catch(() => undefined);
    return asked;
  };
}

function askedOf(find: FindAddresses, hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((resolve, reject) => {
    find(hostname, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}

/** One for the whole process. */
const systemInTurn = inTurn((hostname, done) => {
  systemLookup(hostname, { all: true }, (error, addresses) => done(error, addresses));
});
