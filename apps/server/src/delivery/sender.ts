/**
 * Sends events to receivers over HTTP: to addresses that were checked, without following redirects, within a time.
 * @module
 */
import {
  addressOfHost,
  isPublicAddress,
  type AllowedAddresses,
  type SendEvent,
  type SendOutcome,
} from "@scim/events";
import { Agent, request, type Dispatcher } from "undici";
import { AddressRefused, guardedLookup } from "./guarded-lookup.ts";

/** How requests are sent. */
export interface SenderOptions {
  readonly allowed: AllowedAddresses;
  /** Milliseconds that one request may take, the answer included. */
  readonly timeout: number;
}

/** Sends requests until it is closed. */
export interface Sender {
  readonly send: SendEvent;
  /** Ends the requests under way, and closes the connections. */
  close(): Promise<void>;
}

/** Characters of an answer that are read: what is longer than any description of an error is none. */
const READ = 65_536;
/** Milliseconds that a connection is kept for the next request. */
const KEEP_ALIVE_MS = 10_000;
const USER_AGENT = "scim-events/1";

/** Makes what sends. */
export function createSender({ allowed, timeout }: SenderOptions): Sender {
  const agent = new Agent({
    // A request that is given up ends its connection. Of HTTP/2 all requests to a host share one, which stays where nobody answers any
    // more, be it that the network lost it: each attempt would wait on it again.
    allowH2: false,
    connect: { lookup: guardedLookup({ allowed }), timeout },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  return {
    send: async ({ url, headers, body }) => {
      const { protocol, hostname } = new URL(url);
      // It may have been given while the settings allowed it.
      if (protocol === "http:" && !allowed.plainHttp) return refused("begins with http:");
      const literal = addressOfHost(hostname);
      if (literal !== null && !allowed.privateAddresses && !isPublicAddress(literal)) return refused(PRIVATE);
      try {
        const answer = await request(url, {
          method: "POST",
          headers: { "user-agent": USER_AGENT, ...headers },
          body,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeout),
        });
        return await outcomeOf(answer);
      } catch (error) {
        return failureOf(error, timeout);
      }
    },
    close: () => agent.destroy(),
  };
}

const PRIVATE = "leads to a private network";

function refused(fault: string): SendOutcome {
  return {
    kind: "failed",
    problem: `The address ${fault}, which the settings of the service do not allow.`,
  };
}

async function outcomeOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<SendOutcome> {
  const after = headers["retry-after"];
  return {
    kind: "answered",
    status: statusCode,
    retryAfter: typeof after === "string" ? secondsUntil(after) : null,
    body: await beginningOf(body),
  };
}

/** What `Retry-After` asks for: seconds, or a date (RFC 9110 §10.2.3). */
function secondsUntil(after: string): number | null {
  if (/^[0-9]{1,9}$/.test(after)) return Number(after);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** The status stands, whatever becomes of the body. */
async function beginningOf(body: Dispatcher.ResponseData["body"]): Promise<string> {
  let text = "";
  try {
    body.setEncoding("utf8");
    for await (const chunk of body) {
      text += String(chunk);
      if (text.length >= READ) break;
    }
  } catch {
    // It ended too early or too late: what came is what there is.
  }
  return text.slice(0, READ);
}

/** The messages of errors may hold what a receiver sent: only their codes are told. */
function failureOf(error: unknown, timeout: number): SendOutcome {
  if (error instanceof AddressRefused) return refused(PRIVATE);
  // What is no HTTP has a code or none, by what is wrong with it.
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  const isLate =
    /TIMEOUT|TIMEDOUT|ABORT/.test(code) || (error instanceof Error && error.name === "TimeoutError");
  const problem = isLate
    ? `The receiver did not answer within ${timeout} milliseconds.`
    : `The receiver cannot be reached${code === "" ? "" : ` (${code})`}.`;
  return { kind: "failed", problem };
}
