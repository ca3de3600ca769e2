/**
 * An answer as a `Response`.
 * @module
 */
import type { BodyStream } from "../body-stream.ts";
import type { HttpResponse } from "../message.ts";

/**
 * Makes a `Response`.
 * @param left told when the client goes away while its body is sent
 */
export function responseOf(
  { status, headers, body }: HttpResponse,
  left: (reason: unknown) => void,
): Response {
  const sent = body === null || typeof body === "string" ? body : bytesOf(body, left);
  return new Response(sent, { status, headers });
}

/** Makes the `Response` of a HEAD request: of a long answer nobody knows the length (RFC 9110 §8.6). */
export function headResponseOf({ status, headers }: HttpResponse): Response {
  // Bun and Deno tell the length of an answer without a body: 0. Of a stream they tell none.
  const isUnknown = status === OK && !new Headers(headers).has("content-length");
  return new Response(isUnknown ? endingAtOnce() : null, { status, headers });
}

const OK = 200;

/** A stream without a byte, which nobody knows before it is read. */
function endingAtOnce(): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({ pull: (controller) => controller.close() }, { highWaterMark: 0 });
}

/** Asks for no piece before the client takes it. What fails, or takes too long, errors the stream: the connection is cut. */
function bytesOf(body: BodyStream, left: (reason: unknown) => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        const giveUp = (): void => {
          controller.error(body.signal.reason);
          body.cancel().catch(() => undefined);
        };
        body.signal.addEventListener("abort", giveUp, { once: true });
      },
      pull: async (controller) => {
        const piece = await pieces.next();
        if (piece.done === true) controller.close();
        else controller.enqueue(encoder.encode(piece.value));
      },
      cancel: async (reason) => {
        left(reason);
        await body.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}
