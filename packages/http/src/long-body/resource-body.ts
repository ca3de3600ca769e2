/**
 * The body of a POST or PUT: held where it is short, else read by a thread, with the values of its collections staged.
 * @module
 */
import type { LongBody, OpenLongBody, ServedType, StagedBody } from "@scim/core";
import type { JsonValue } from "@scim/schemas";
import { BodyPieces } from "../body.ts";
import { decodeBody, requireMediaTypes, type Call } from "../call.ts";
import { longBodyLimit, messageLimit } from "../limits.ts";
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
  const { request, limits, service, context } = call;
  const pieces = new BodyPieces(request, longBodyLimit(limits));
  const short = await pieces.hold(limits.bodyBytes);
  if (short !== null) return held(short, call);
  const open = call.longBodies === null ? null : service.longBody(context, type.name);
  if (open !== null && call.longBodies !== null) return staged(call.longBodies, { open, pieces }, call);
  const limit = messageLimit(limits, type);
  pieces.restrict(limit);
  return held((await pieces.hold(limit.bytes)) ?? new Uint8Array(0), call);
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
  const close = async (): Promise<void> => {
    for (const long of opened) await long.close();
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
