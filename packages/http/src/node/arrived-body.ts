/**
 * Bodies that have come with their headers, as almost all do: to read one as a stream takes longer than to decode it.
 * @module
 */
import { IncomingMessage } from "node:http";

const taken = new WeakSet<object>();

/**
 * What a handler is given as the body of a request that nobody has begun to read: its bytes where all of them are here, else the
 * request itself. The bytes are taken from the request, so that it is to be asked once, when the body is read.
 */
export function arrivedBody<Request extends AsyncIterable<Uint8Array>>(
  request: Request,
): Request | Uint8Array {
  if (!(request instanceof IncomingMessage) || !hasArrived(request)) return request;
  const { readableFlowing, readableEncoding } = request;
  if (readableFlowing !== null || readableEncoding !== null) return request;
  const whole: unknown = request.read();
  if (!(whole instanceof Uint8Array)) return request;
  taken.add(request);
  return whole;
}

/** Whether the whole body of a request is here, or was taken: Node.js says so (`complete`) only a moment later. */
export function hasArrived(request: IncomingMessage): boolean {
  const { "content-length": stated, "transfer-encoding": coding } = request.headers;
  if (request.complete || taken.has(request)) return true;
  return coding === undefined && request.readableLength === Number(stated ?? 0);
}
