/**
 * A request that is long under way: the server has its headers, and knows whose it is, before the body is whole.
 * @module
 */
import { once } from "node:events";
import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { JsonObject } from "@scim/schemas";

/** What is sent, and by whom. */
export interface SlowRequest {
  /** Below `/scim/v2`. */
  readonly path: string;
  readonly token: string;
  readonly body: JsonObject;
}

/** A request under way. */
export interface SlowPost {
  /** Resolves when the server has read the headers. */
  readonly begun: Promise<unknown>;
  /** Sends the rest. */
  finish(): Promise<{
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly text: string;
  }>;
}

/** Begins to send. */
export function slowPost(origin: string, { path, token, body }: SlowRequest): SlowPost {
  const sent = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/scim+json",
    "content-length": String(sent.length),
    expect: "100-continue",
  };
  const outgoing = request(origin, { method: "POST", path: `/scim/v2${path}`, headers });
  // Sends the headers, which the server answers when it reads them.
  outgoing.flushHeaders();
  return {
    begun: once(outgoing, "continue").then(() => outgoing.write(sent.slice(0, 9))),
    finish: async () => {
      outgoing.end(sent.slice(9));
      const [incoming]: IncomingMessage[] = await once(outgoing, "response");
      if (incoming === undefined) throw new TypeError("There is no answer");
      const text = (await incoming.toArray()).join("");
      return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
    },
  };
}
