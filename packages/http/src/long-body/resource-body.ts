/**
 * The body of a POST or PUT: held where it is short, else read by a thread, with the values of its collections staged.
 * @module
 */
import type { LongBody, OpenLongBody, ServedType, StagedBody } from "@scim/core";
import type { JsonValue } from "@scim/schemas";
import { BodyPieces, readBody } from "../body.ts";
import { decodeBody, requireMediaTypes, type Call } from "../call.ts";
import { heldLimit, longBodyLimit } from "../limits.ts";
import type { LongBodyReader } from "./read-long-body.ts";

/** A body that was read. */
export interface ResourceBody {
  readonly body: JsonValue;
  readonly staged?: StagedBody;
  /** Lets go of what was staged, once the request is answered. */
  readonly close: () => Promise<void>;
}

/**
 * Reads the body of a resource with reference collections.
 * @throws ScimError as {@link bodyOf}, and `unavailable` where too many long bodies are read already
 */
export async function resourceBody(call: Call, type: ServedType): Promise<ResourceBody> {
  requireMediaTypes(call);
  const { request, limits, service, context, longBodies } = call;
  const open = longBodies === null ? null : service.longBody(context, type.name);
  if (open === null || longBodies === null)
    return held(await readBody(request, heldLimit(limits, type)), call);
  const pieces = new BodyPieces(request, longBodyLimit(limits));
  const short = await pieces.hold(limits.bodyBytes);
  return short === null ? staged(longBodies, { open, pieces }, call) : held(short, call);
}

function held(bytes: Uint8Array, call: Call): ResourceBody {
  return { body: decodeBody(call, bytes), close: async () => undefined };
}

async function staged(
  read: LongBodyReader,
  { open, pieces }: { readonly open: OpenLongBody; readonly pieces: BodyPieces },
  { context: { tenant }, limits, request: { signal }, trace }: Call,
): Promise<ResourceBody> {
  const opened: LongBody[] = [];
  // What cannot be let go is removed in time: by then the change may be made, and its client is to know of it.
  const close = async (): Promise<void> => {
    for (const long of opened) await long.close().catch(() => undefined);
  };
  const openOnce = async (): Promise<LongBody> => {
    const long = await open();
    opened.push(long);
    return long;
  };
  try {
    const body = await read({ tenant, open: openOnce, limits, next: () => pieces.next(), signal });
    trace.body = { value: body.body, bytes: pieces.length, isPart: true };
    return { ...body, close };
  } catch (error) {
    await close();
    await pieces.drain();
    throw error;
  }
}
