/**
 * `@scim/http`: SCIM over HTTP as plain objects, for any framework. This file is the whole public surface.
 * @module
 */
export { authenticate, type AuthenticationListeners, type Verification } from "./authentication.ts";
export type { OpenDiscovery } from "./visitor.ts";
export { createScimHandler, type ScimHandler, type ScimHandlerOptions } from "./handler.ts";
export { type PublicUrl, publicUrlOf } from "./adapting/adapter-options.ts";
export { cutAddress, type MountedAddress } from "./adapting/mounted-address.ts";
export type { Exchange, ReadBody } from "./exchange.ts";
export type { BodyStream } from "./body-stream.ts";
export type { LongBodyReader, LongBodySource, ReadLongBody } from "./long-body/read-long-body.ts";
export { DEFAULT_HTTP_LIMITS, type HttpLimits } from "./limits.ts";
export type {
  FailedOperation,
  FiredSwitch,
  HttpRequest,
  HttpResponse,
  RequestRecord,
  TextResponse,
} from "./message.ts";
export { decodeJson } from "./json/decode.ts";
export { errorResponse, statusResponse, toScimError } from "./errors.ts";
export { tooManyRequests } from "./rate-limit.ts";
