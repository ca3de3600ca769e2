/**
 * The refusal of a body that is larger than its route takes.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { FastifyRequest } from "fastify";

/** The status by which Fastify refuses one. */
export const TOO_LARGE = 413;

/** Says how large a body may be. */
export function bodyTooLarge({ routeOptions }: Pick<FastifyRequest, "routeOptions">): ScimError {
  const detail = `The body is larger than ${routeOptions.bodyLimit} bytes; send it in smaller parts.`;
  return new ScimError("payloadTooLarge", detail);
}
