/**
 * A request on its way to the service, and the body that it carries.
 * @module
 */
import type { Principal, RequestContext, ScimService, ServedType } from "@scim/core";
import type { JsonValue } from "@scim/schemas";
import { readBody, type BodyLimit } from "./body.ts";
import { decodeJson } from "./json/decode.ts";
import type { HttpLimits } from "./limits.ts";
import type { LongBodyReader } from "./long-body/read-long-body.ts";
import { requireAcceptable, requireJsonBody } from "./media-types.ts";
import { headerOf, type HttpRequest } from "./message.ts";
import type { RequestTrace } from "./trace.ts";

/** A request that may reach the service: who asks is known, and the form of address offers the method. */
export interface Call {
  readonly service: ScimService;
  readonly limits: HttpLimits;
  /** Reads bodies that are too long to be held; null where all are held. */
  readonly longBodies: LongBodyReader | null;
  readonly request: HttpRequest;
  readonly principal: Principal;
  readonly context: RequestContext;
  readonly trace: RequestTrace;
  /** The part of the address behind the `?`. */
  readonly query: string;
  /** The resource type whose endpoint the address begins with; null where it is none that is served. */
  readonly type: ServedType | null;
}

/**
 * The body of a request, checked in this order: media types, size, syntax.
 * @throws ScimError `notAcceptable`, `unsupportedMediaType`, `payloadTooLarge`, `invalidSyntax`, `invalidValue`
 */
export async function bodyOf(call: Call, limit: BodyLimit): Promise<JsonValue> {
  requireMediaTypes(call);
  return decodeBody(call, await readBody(call.request, limit));
}

/**
 * Decodes a body that was read.
 * @throws ScimError `invalidSyntax`, `invalidValue`
 */
export function decodeBody({ limits, trace }: Pick<Call, "limits" | "trace">, bytes: Uint8Array): JsonValue {
  const value = decodeJson(bytes, limits.jsonDepth);
  trace.body = { value, bytes: bytes.length, isPart: false };
  return value;
}

/**
 * Checks the media types of a request with a body.
 * @throws ScimError `notAcceptable`, `unsupportedMediaType`
 */
export function requireMediaTypes({ request }: Pick<Call, "request">): void {
  requireAcceptable(headerOf(request, "accept"));
  requireJsonBody(request);
}
