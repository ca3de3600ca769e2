/**
 * Messages that are refused before a tool is called: an error of JSON-RPC, with the SCIM error inside.
 * @module
 */
import { toScimError } from "@scim/http";
import { isScimError, ScimError, type JsonObject } from "@scim/schemas";
import type { FastifyError } from "fastify";

/** A refusal, ready to be sent. */
export interface Refusal {
  /** Why, with the status and the headers that it is sent with. */
  readonly error: ScimError;
  readonly body: JsonObject;
}

/** What a refusal may name. */
export interface RefusalPlace {
  readonly requestId: string;
  readonly bodyLimit: number;
}

/** The refusal of what was thrown. */
export async function refusalOf(thrown: FastifyError, place: RefusalPlace): Promise<Refusal> {
  const error = isScimError(thrown) ? thrown : asScimError(thrown, place);
  const { rpcError, scimToolError, ToolError } = await import("@scim/mcp");
  const told = scimToolError("refused", error.code, error.message);
  return {
    error,
    body: rpcError(new ToolError("refused", { ...told.data, ...retryAfterOf(error) })),
  };
}

/** Seconds to wait, where the error tells them. */
function retryAfterOf({ headers }: ScimError): { readonly retryAfter?: number } {
  const seconds = headers["retry-after"];
  return seconds === undefined ? {} : { retryAfter: Number(seconds) };
}

/** What Fastify throws, as an error that a client is told. */
function asScimError(thrown: FastifyError, place: RefusalPlace): ScimError {
  const { statusCode = 500, message } = thrown;
  if (statusCode === 413) {
    return new ScimError(
      "payloadTooLarge",
      `The body is larger than ${place.bodyLimit} bytes; send it in smaller parts, or by SCIM itself.`,
    );
  }
  if (statusCode === 415)
    return new ScimError("unsupportedMediaType", "Messages are sent as application/json.", {
      headers: { accept: "application/json" },
    });
  if (statusCode >= 400 && statusCode < 500) return new ScimError("invalidSyntax", message);
  return toScimError(thrown, place.requestId);
}
