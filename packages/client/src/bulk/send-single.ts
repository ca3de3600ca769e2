/**
 * Sends an operation of a job by itself, where the service has no bulk.
 * @module
 */
import type { Engine } from "../exchange/engine.ts";
import type { CallOptions } from "../resources/options.ts";
import { isOfOneState, rawVersion } from "../versions/entity-tag.ts";
import { metaVersion } from "../versions/version-memory.ts";
import type { PlannedChange, PlannedOperation } from "./operation.ts";
import type { DoneOperation } from "./outcome.ts";

/** Sends an operation whose references are resolved. */
export function sendSingle(
  engine: Engine,
  operation: PlannedOperation,
  call: CallOptions,
): Promise<DoneOperation> {
  return operation.method === "POST"
    ? operation.createAlone(operation.data, call)
    : change(engine, operation, call);
}

async function change(
  engine: Engine,
  { method, endpoint, id, tag, data }: PlannedChange,
  call: CallOptions,
): Promise<DoneOperation> {
  const answer = await engine.send({
    method,
    path: `${endpoint}/${encodeURIComponent(id)}`,
    body: data === null ? null : JSON.stringify(data),
    headers: { ...call.headers, ...(tag === null ? {} : { "if-match": tag }) },
    repetition: method === "PATCH" && !isOfOneState(tag) ? "more" : "same",
    signal: call.signal,
    timeout: call.timeout,
  });
  const { status, headers, body } = answer;
  const told = headers["etag"] ?? metaVersion(body ?? {});
  return { kind: "done", status, id, version: told === undefined ? null : rawVersion(told) };
}
