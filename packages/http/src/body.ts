/**
 * Reads request bodies up to a limit.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { HttpRequest } from "./message.ts";
import { headerOf } from "./message.ts";

/** How large a body may be. */
export interface BodyLimit {
  readonly bytes: number;
  /** Where ServiceProviderConfig advertises the limit, such as `bulk.maxPayloadSize`; null where it does not. */
  readonly advertised: string | null;
}

const EMPTY = new Uint8Array(0);

/**
 * The bytes of a body. One that states a greater length is refused unread; of a stream that turns out
 * longer, the rest is taken in and thrown away, so that the client reads the answer, up to sixteen times
 * the limit; then the connection is closed.
 * @throws ScimError `payloadTooLarge`
 */
export async function readBody(
  request: Pick<HttpRequest, "body" | "headers">,
  limit: BodyLimit,
): Promise<Uint8Array> {
  const { body } = request;
  if (Number(headerOf(request, "content-length") ?? 0) > limit.bytes) throw tooLarge(limit);
  if (body === null) return EMPTY;
  if (body instanceof Uint8Array) {
    if (body.length > limit.bytes) throw tooLarge(limit);
    return body;
  }
  return readStream(body, limit);
}

/** How many times the limit is read before the connection is given up. */
const PATIENCE = 16;

async function readStream(body: AsyncIterable<Uint8Array>, limit: BodyLimit): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // No `for await`: leaving it early would destroy the stream, and with it the connection for the answer.
  const iterator = body[Symbol.asyncIterator]();
  for (let part = await iterator.next(); part.done !== true; part = await iterator.next()) {
    length += part.value.length;
    if (length <= limit.bytes) chunks.push(part.value);
    else if (length > limit.bytes * PATIENCE) throw tooLarge(limit, { connection: "close" });
    else chunks.length = 0;
  }
  if (length > limit.bytes) throw tooLarge(limit);
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : concatenate(chunks, length);
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

function tooLarge(
  { bytes, advertised }: BodyLimit,
  headers: Readonly<Record<string, string>> = {},
): ScimError {
  const limit = `${advertised === null ? "" : `${advertised}, `}${bytes} bytes (${bytes / 1_048_576} MiB)`;
  return new ScimError("payloadTooLarge", `The body is larger than ${limit}; send it in smaller parts.`, {
    headers,
  });
}
