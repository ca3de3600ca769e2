/**
 * A client of server-sent events, as short as tests want it.
 * @module
 */
import { request } from "node:http";

/** An event as it came over the wire. */
export interface SentEvent {
  readonly id: string;
  readonly data: string;
}

/** What a client of a stream says. */
export interface StreamRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Follows a stream: each event as it comes. It ends when the server ends it, or loses the connection, and when the reader
 * goes away.
 */
export async function* follow({
  origin,
  path,
  headers,
}: StreamRequest): AsyncGenerator<SentEvent, void, undefined> {
  const outgoing = request(origin, { path, headers: { accept: "text/event-stream", ...headers } });
  try {
    const incoming = new Promise<AsyncIterable<Buffer>>((resolve, reject) => {
      outgoing.on("response", resolve);
      outgoing.on("error", reject);
    });
    outgoing.end();
    let text = "";
    for await (const chunk of await incoming) {
      text += chunk.toString("utf8");
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        const event = /^id: (?<id>.*)\nevent: change\ndata: (?<data>.*)$/.exec(part)?.groups;
        if (event !== undefined) yield { id: event["id"] ?? "", data: event["data"] ?? "" };
      }
    }
  } catch (error) {
    // A connection that is cut ends the stream.
    if (!(error instanceof Error && "code" in error)) throw error;
  } finally {
    outgoing.destroy();
  }
}
