/**
 * Finds out what became of an operation whose bulk request was lost or failed, and does it by itself where it was not done.
 * @module
 */
import { UnknownOutcomeError } from "../errors/connection-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Engine } from "../exchange/engine.ts";
import type { CallOptions } from "../resources/options.ts";
import { isSameWrite, rawVersion } from "../versions/entity-tag.ts";
import { metaVersion } from "../versions/version-memory.ts";
import { findingOf, isRepeatable, isUnderstood } from "./in-effect.ts";
import type { PlannedChange, PlannedOperation } from "./operation.ts";
import type { DoneOperation } from "./outcome.ts";
import { sendSingle } from "./send-single.ts";

/** How operations are settled. */
export interface Settling {
  readonly call: CallOptions;
  /** What became of the request that they went in. */
  readonly doubt: UnknownOutcomeError;
}

/**
 * Settles an operation whose references are resolved. What was to be created is looked up, and created where it is not
 * there. A change that is meant for any version, and comes to the same when it is made again, is made again. Otherwise the
 * resource is read: where its version is the one that the change was meant for, it is made; where it is as it was to
 * become, and shows all of that, it is done; else nobody knows, unless the change is meant for any version.
 * @throws {@link UnknownOutcomeError}
 */
export async function settle(
  engine: Engine,
  operation: PlannedOperation,
  { call, doubt }: Settling,
): Promise<DoneOperation> {
  if (operation.method === "POST") return operation.createAlone(operation.data, call, doubt);
  if (operation.method === "DELETE") return remove(engine, operation, call);
  if (operation.tag === null && isRepeatable(operation)) return sendSingle(engine, operation, call);
  return settleByReading(engine, operation, { call, doubt });
}

async function settleByReading(
  engine: Engine,
  operation: PlannedChange,
  { call, doubt }: Settling,
): Promise<DoneOperation> {
  const read = await currentOf(engine, operation, { call, doubt });
  const { body, headers } = read;
  const tag = headers["etag"] ?? metaVersion(body ?? {});
  // First, since it proves that nothing was done: of what a change clears, or has in other letters, little is to be seen.
  if (operation.tag !== null && tag !== undefined && isSameWrite(operation.tag, tag))
    return sendSingle(engine, operation, call);
  const finding = body === null ? "other" : findingOf(operation, body);
  if (finding === "same") {
    return {
      kind: "done",
      status: 200,
      id: operation.id,
      version: tag === undefined ? null : rawVersion(tag),
    };
  }
  // Meant for any version, and not to be seen: it was not done, or is to be done again.
  if (operation.tag === null && isUnderstood(operation)) return sendSingle(engine, operation, call);
  const why = finding === "other" ? "" : ", and does not show what the change sets or clears";
  throw new UnknownOutcomeError(
    `nobody knows whether it was done: the resource has changed meanwhile${why}`,
    {
      request: doubt.request ?? read.request,
      candidates: [operation.id],
      cause: doubt,
    },
  );
}

async function currentOf(
  engine: Engine,
  { endpoint, id }: PlannedChange,
  { call: { headers = {}, signal, timeout }, doubt: { request } }: Settling,
): Promise<Answer> {
  const path = `${endpoint}/${encodeURIComponent(id)}`;
  try {
    return await engine.send({ method: "GET", path, headers, repetition: "safe", signal, timeout });
  } catch (cause) {
    // What is not there was not changed: that is an answer.
    if (request === null || (cause instanceof ServiceError && cause.code === "notFound")) throw cause;
    const what = "nobody knows whether it was done: reading the resource failed";
    throw new UnknownOutcomeError(what, { request, candidates: [id], cause });
  }
}

/** What is gone already was deleted. */
async function remove(engine: Engine, operation: PlannedChange, call: CallOptions): Promise<DoneOperation> {
  try {
    return await sendSingle(engine, operation, call);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "notFound") throw error;
    return { kind: "done", status: 204, id: operation.id, version: null };
  }
}
