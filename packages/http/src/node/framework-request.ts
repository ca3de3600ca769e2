/**
 * A request of `node:http` or `node:http2` as frameworks hand it on: its address cut by a mount, its body perhaps read already.
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { ScimError } from "@scim/schemas";
import { spentBody } from "../adapting/adapter-options.ts";
import { mountAt, pathAndQuery, type PrefixedAddress } from "../adapting/mounted-address.ts";
import type { HttpRequest } from "../message.ts";
import { arrivedBody } from "./arrived-body.ts";

/** A request of `node:http`, or of `node:http2` as one of HTTP/1.1. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** The answer to a {@link NodeRequest}. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** The origin that a request names; one of HTTP/2 need not have a `Host`. */
export function originOf({ headers, socket }: NodeRequest): string {
  const isSecure = "encrypted" in socket && socket.encrypted;
  return `${isSecure ? "https" : "http"}://${headers.host ?? authorityOf(headers) ?? "localhost"}`;
}

function authorityOf(headers: NodeRequest["headers"]): string | undefined {
  const authority = headers[":authority"];
  return typeof authority === "string" ? authority : undefined;
}

/** The address as it was sent: Express and Connect keep it when they cut a mount off `url`. */
function wholeAddressOf(request: NodeRequest): string {
  if ("originalUrl" in request && typeof request.originalUrl === "string") return request.originalUrl;
  return request.url ?? "/";
}

/** Makes what finds a prefix in requests; it gives null where an address lies elsewhere. */
export function belowPrefix(prefix: string): (request: NodeRequest) => PrefixedAddress | null {
  const find = mountAt(prefix);
  return (request) => {
    const { path, target } = cutByFramework(request);
    return find(path + target);
  };
}

/** Where the mount ends that a framework has found and cut off; the root where none did. */
export function cutByFramework(request: NodeRequest): PrefixedAddress {
  const whole = pathAndQuery(wholeAddressOf(request));
  const rest = pathAndQuery(request.url ?? "/");
  const tenant = tenantOf(request);
  const path = pathBefore(rest, whole);
  if (path !== null) return { path, target: rest, tenant };
  // Where nothing is left of a path, they put a slash.
  const bare = rest.replace(/^\/(?=\?|$)/, "");
  const bareMount = pathBefore(bare, whole);
  if (bareMount !== null) return { path: bareMount, target: bare, tenant };
  // A middleware in front has rewritten the address: what is left was never sent so.
  return { path: mountOf(request), target: rest, tenant };
}

/** What stands before the end of an address; null where the address ends otherwise, or that is no path. */
function pathBefore(end: string, address: string): string | null {
  if (!address.endsWith(end)) return null;
  const path = address.slice(0, address.length - end.length);
  return path.includes("?") ? null : path;
}

/** Where Express found the mount, in the address as it was rewritten; Connect does not tell. */
function mountOf(request: NodeRequest): string {
  return "baseUrl" in request && typeof request.baseUrl === "string" ? request.baseUrl : "";
}

/** The parameter `tenant` of the route, where it has one (`/scim/:tenant/v2`). */
function tenantOf(request: NodeRequest): string | null {
  if (!("params" in request)) return null;
  const { params } = request;
  if (typeof params !== "object" || params === null || !("tenant" in params)) return null;
  return typeof params.tenant === "string" ? params.tenant : null;
}

/**
 * The body: unread, or what a parser in front has made of it. Of a body that was parsed, repeated names and digits that
 * a number cannot hold are gone.
 */
export function bodyOf(request: NodeRequest): HttpRequest["body"] {
  if (!request.readableDidRead) return arrivedBody(request);
  const raw = "rawBody" in request ? request.rawBody : undefined;
  const body = raw instanceof Uint8Array ? raw : "body" in request ? request.body : undefined;
  if (body instanceof Uint8Array) return body;
  if (body === undefined || body === null)
    return spentBody("mount SCIM before what reads bodies, or keep them as bytes in 'rawBody'");
  return textOf(body);
}

/** Text that is made when it is asked for. */
async function* textOf(body: unknown): AsyncGenerator<Uint8Array, void, undefined> {
  yield new TextEncoder().encode(typeof body === "string" ? body : jsonOf(body));
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    // What was read without recursion can be too deep to be written with it.
    if (cause instanceof RangeError)
      throw new ScimError("invalidSyntax", "The body nests too deep.", { cause });
    throw cause;
  }
}
