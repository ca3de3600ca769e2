/**
 * What a request must be to mean one thing alone: a proxy in front may read another of two headers, or another body.
 * @module
 */
import type { IncomingMessage } from "node:http";
import { statusResponse, type TextResponse } from "@scim/http";

/** A server that answers for several names must be told which is meant (RFC 9112 §3.2). */
const NO_HOST = statusResponse(400, "The request has no header Host, which HTTP/1.1 asks for.");

/** Headers that tell where a request goes, whose it is and what it holds, by their length. Node.js takes the first of two. */
const SINGLE: ReadonlyMap<number, string> = new Map(
  ["host", "authorization", "content-type"].map((name) => [name.length, name]),
);

/** Codings of transfer below chunks are not undone (RFC 9112 §6.1); what does not end in chunks Node.js refuses. */
const CODED_CHUNKS = /,\s*chunked$/i;
const OTHER_CODING = statusResponse(501, "Transfer-Encoding may be chunked alone; send the body as it is.");

/** The router ends a path at what a fragment begins with, and a proxy may not (RFC 9112 §3.2: no target has one). */
const FRAGMENT = statusResponse(400, "The address of a request has no fragment; send it without '#'.");

/** The answer to a request that is not plain; null for all others. */
export function refusalOfMessage({
  headers,
  httpVersion,
  rawHeaders,
  url = "",
}: Pick<IncomingMessage, "headers" | "httpVersion" | "rawHeaders" | "url">): TextResponse | null {
  if (headers.host === undefined && httpVersion !== "1.0") return NO_HOST;
  if (CODED_CHUNKS.test(headers["transfer-encoding"] ?? "")) return OTHER_CODING;
  if (url.includes("#")) return FRAGMENT;
  const repeated = repeatedHeader(rawHeaders);
  return repeated === null
    ? null
    : statusResponse(400, `The header ${repeated} stands twice in the request; send it once.`);
}

/** @param rawHeaders names and values in turn */
function repeatedHeader(rawHeaders: readonly string[]): string | null {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const single = SINGLE.get(name.length);
    if (single === undefined || name.toLowerCase() !== single) continue;
    if (seen.has(single)) return single;
    seen.add(single);
  }
  return null;
}
