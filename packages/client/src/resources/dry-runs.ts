/**
 * Tries changes out, where the service offers it, at an address of its own: a service that does not know the address
 * answers 404 and changes nothing.
 * @module
 */
import { isJsonArray, patchOp, type DryRunResponse, type JsonObject } from "@scim/schemas";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import { UsageError } from "../errors/usage-error.ts";
import { bodyText } from "../exchange/body-text.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Call } from "../exchange/call.ts";
import { operationsOf } from "../patch/patch-builder.ts";
import type { CallOptions } from "./options.ts";
import type { ResourceParts } from "./parts.ts";
import type { DryRuns } from "./resource-client.ts";
import type { DynamicShape } from "./shape.ts";
import { callOf } from "./writing.ts";

const PREFIX = "/.dry-run";

/** Makes the dry runs of a resource type. */
export function createDryRuns(parts: ResourceParts, fields: () => object): DryRuns<DynamicShape> {
  const tryOut = async (call: Call): Promise<DryRunResponse> => {
    const { dryRun } = await parts.discovery.configExtension({ signal: call.signal });
    if (!dryRun) throw new UsageError("notOffered", "The service offers no dry runs.");
    return outcomeOf(await parts.engine.send({ ...call, path: PREFIX + call.path, repetition: "safe" }));
  };
  const post = (body: JsonObject, { headers = {}, signal, timeout }: CallOptions): Call => ({
    method: "POST",
    path: parts.type.endpoint,
    body: bodyText(body),
    headers,
    repetition: "safe",
    signal,
    timeout,
  });
  return {
    create: async (input, options = {}) => tryOut(post(parts.writeBody(input), options)),
    replace: async (target, input, options = {}) => {
      const body = bodyText(parts.writeBody(input));
      return tryOut(callOf(parts, { method: "PUT", target, body, options }));
    },
    patch: async (target, input, options = {}) => {
      const body = bodyText(patchOp(operationsOf(input, fields)));
      return tryOut(callOf(parts, { method: "PATCH", target, body, options }));
    },
    delete: (target, options = {}) =>
      tryOut(callOf(parts, { method: "DELETE", target, body: null, options })),
  };
}

function outcomeOf({ body, request, status }: Answer): DryRunResponse {
  if (body !== null && typeof body["valid"] === "boolean" && isJsonArray(body["diff"] ?? [])) {
    // The message is our own; what the client reads of it is checked.
    return body as unknown as DryRunResponse;
  }
  throw new InvalidAnswerError("invalidMessage", "the answer is no DryRunResponse", { request, status });
}
