/**
 * One request and its answer, sent exactly as stated: no library in between mends a path or a header.
 * @module
 */
import { Agent, request, type IncomingHttpHeaders } from "node:http";
import type { JsonObject, JsonValue } from "@scim/schemas";

const AGENT = new Agent({ keepAlive: true });

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | null;
}

/** An answer as it came. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as a JSON object; empty where there is none. */
  readonly body: JsonObject;
}

/** Sends a request and reads the whole answer. */
export function exchange(origin: string, wire: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      origin,
      { agent: AGENT, method: wire.method, path: wire.path, headers: headersOf(wire) },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            body: objectOf(text),
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(wire.body ?? undefined);
  });
}

function headersOf(wire: WireRequest): Record<string, string> {
  const { body, headers } = wire;
  if (body === undefined || body === null) return { ...headers };
  return { "Content-Length": String(Buffer.byteLength(body)), ...headers };
}

function objectOf(text: string): JsonObject {
  const value = text === "" ? null : parsed(text);
  // The check of the shape stands before the assertion.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function parsed(text: string): JsonValue {
  try {
    // `JSON.parse` gives nothing but JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** A member that must be text. */
export function textMember(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value !== "string") throw new TypeError(`Member ${name} is no text: ${JSON.stringify(value)}`);
  return value;
}

/** The resources of a list answer. */
export function resourcesOf(list: JsonObject): readonly JsonObject[] {
  // A list answer holds resources, and resources are objects (RFC 7644 §3.4.2).
  return (list["Resources"] ?? []) as readonly JsonObject[];
}
