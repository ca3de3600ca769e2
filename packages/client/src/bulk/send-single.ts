/**
 * Sends an operation of a job by itself, where the service has no bulk.
 * @module
 */
import type { Engine } from "../exchange/engine.ts";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import type { CallOptions } from "../resources/options.ts";
import { rawVersion } from "../versions/entity-tag.ts";
import type { PlannedOperation } from "./operation.ts";
import type { DoneOperation } from "./outcome.ts";

/** Sends an operation whose references are resolved. */
export async function sendSingle(
  engine: Engine,
  { method, endpoint, id, tag, data }: PlannedOperation,
  call: CallOptions,
): Promise<DoneOperation> {
  const answer = await engine.send({
    method,
    path: id === null ? endpoint : `${endpoint}/${encodeURIComponent(id)}`,
    body: data === null ? null : JSON.stringify(data),
    headers: { ...call.headers, ...(tag === null ? {} : { "if-match": tag }) },
    repetition: method === "POST" || (method === "PATCH" && tag === null) ? "more" : "same",
    signal: call.signal,
    timeout: call.timeout,
  });
  const { status, body, request } = answer;
  const made = id ?? body?.["id"];
  if (typeof made !== "string") {
    throw new InvalidAnswerError("invalidMessage", "what was created has no 'id'", { request, status });
  }
  const etag = answer.headers["etag"];
  return { kind: "done", status, id: made, version: etag === undefined ? null : rawVersion(etag) };
}
