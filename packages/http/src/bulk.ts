/**
 * Bulk jobs (RFC 7644 §3.7).
 * @module
 */
import { entityTag, type BulkOperationAnswer } from "@scim/core";
import { BULK_RESPONSE_URN, ScimError, type JsonObject } from "@scim/schemas";
import { bodyOf, type Call } from "./call.ts";
import { asksForDryRun } from "./changes.ts";
import { answeredError, toScimError } from "./errors.ts";
import { bulkLimit } from "./limits.ts";
import { SCIM_MEDIA_TYPE } from "./media-types.ts";
import type { HttpResponse } from "./message.ts";
import { requireUntagged } from "./preconditions.ts";
import { requireScope, scopeOfOperation } from "./scopes.ts";

/** What else a client writes in the place of a method is no text for a log. */
const METHODS: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/**
 * Does a bulk job. Each operation asks for the scope that it would ask for by itself.
 * @throws ScimError where the job as a whole is refused
 */
export async function bulk(call: Call): Promise<HttpResponse> {
  const { service, context, principal, request, trace } = call;
  const body = await bodyOf(call, bulkLimit(call.limits));
  if (asksForDryRun(request)) throw noDryRun();
  requireUntagged(request);
  const { operations } = await service.bulk(context, {
    body,
    authorize: (type, operation) => requireScope(principal, scopeOfOperation(operation), type),
  });
  for (const [index, { method, error }] of operations.entries()) {
    if (error !== null) trace.failOperation(index, METHODS.has(method) ? method : "unknown", error);
  }
  return {
    status: 200,
    headers: { "content-type": SCIM_MEDIA_TYPE },
    body: JSON.stringify({
      schemas: [BULK_RESPONSE_URN],
      Operations: operations.map((each) => resultOf(each, call)),
    }),
  };
}

/** The error for a bulk job that is to be tried out: its operations build upon each other. */
export function noDryRun(): ScimError {
  return new ScimError("invalidValue", "A bulk job cannot be run dry: try out its operations one by one.");
}

/** RFC 7644 §3.7.3: `response` stands on failures only. Of a fault of the service it tells where the log has more. */
function resultOf(
  answer: BulkOperationAnswer,
  { request, trace }: Pick<Call, "request" | "trace">,
): JsonObject {
  const { method, bulkId, version, location, status, error } = answer;
  return {
    method,
    ...(bulkId === null ? {} : { bulkId }),
    ...(version === null ? {} : { version: entityTag(version) }),
    ...(location === null ? {} : { location }),
    status: String(status),
    ...(error === null
      ? {}
      : { response: answeredError(shown(error, request.id), trace.plainAnswers).toJSON() }),
  };
}

function shown(error: ScimError, requestId: string): ScimError {
  return error.code === "internal" ? toScimError(error.cause, requestId) : error;
}
