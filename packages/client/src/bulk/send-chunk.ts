/**
 * Sends a part of a job as a BulkRequest, and reads what came of it (RFC 7644 §3.7).
 * @module
 */
import { BULK_REQUEST_URN, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { InvalidAnswerError } from "../errors/answer-error.ts";
import type { FailedRequest } from "../errors/client-error.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Engine } from "../exchange/engine.ts";
import { textMember } from "../errors/service-error.ts";
import { refusalOf } from "../exchange/failures.ts";
import { idAt } from "../resources/location.ts";
import type { CallOptions } from "../resources/options.ts";
import { rawVersion } from "../versions/entity-tag.ts";
import { messageOf, pathOf, type PlannedOperation } from "./operation.ts";
import type { OperationOutcome } from "./outcome.ts";

/** How a part of a job is sent. */
export interface ChunkOptions extends CallOptions {
  /** Failures after which the service tries no more; null for none. */
  readonly failOnErrors: number | null;
}

/** The outcomes of a part of a job, by bulkId. */
export async function sendChunk(
  engine: Engine,
  operations: readonly PlannedOperation[],
  { failOnErrors, ...call }: ChunkOptions,
): Promise<ReadonlyMap<string, OperationOutcome>> {
  const answer = await engine.send({
    ...call,
    signal: call.signal,
    method: "POST",
    path: "/Bulk",
    body: JSON.stringify({
      schemas: [BULK_REQUEST_URN],
      ...(failOnErrors === null ? {} : { failOnErrors }),
      Operations: operations.map(messageOf),
    }),
    repetition: "more",
  });
  const { results, isWhole } = matched(operations, answer, failOnErrors !== null);
  return new Map(
    operations.map((operation) => {
      const result = results.get(operation);
      const stops = failOnErrors !== null && isWhole;
      return [operation.bulkId, outcomeOf(operation, result, { answer, stops })] as const;
    }),
  );
}

/** Results, and whether it is known of each which operation it is of. */
interface Matched {
  readonly results: ReadonlyMap<PlannedOperation, JsonObject>;
  readonly isWhole: boolean;
}

/**
 * Results by operation: by `bulkId` where the service repeats it, else by their place. A service that stopped gives fewer.
 */
function matched(
  operations: readonly PlannedOperation[],
  { body, request, status }: Answer,
  mayStop: boolean,
): Matched {
  const listed = body?.["Operations"];
  if (!isJsonArray(listed) || !listed.every(isJsonObject)) {
    throw new InvalidAnswerError("invalidMessage", "the answer to a bulk job has no 'Operations'", {
      request,
      status,
    });
  }
  const byId = new Map(listed.map((result) => [bulkIdOf(result), result]));
  const isLong = listed.length === operations.length || (mayStop && listed.length < operations.length);
  const inOrder = isLong && listed.every((result, index) => fits(result, operations[index]));
  const results = new Map<PlannedOperation, JsonObject>();
  operations.forEach((operation, index) => {
    const place = inOrder ? listed[index] : undefined;
    const unnamed = place !== undefined && bulkIdOf(place) === null ? place : undefined;
    const result = byId.get(operation.bulkId) ?? unnamed;
    if (result !== undefined) results.set(operation, result);
  });
  return { results, isWhole: results.size === listed.length };
}

/** The bulkId that a result repeats; null for none. Some services make a number of it. */
function bulkIdOf({ bulkId }: JsonObject): string | null {
  if (typeof bulkId === "number") return String(bulkId);
  return typeof bulkId === "string" && bulkId !== "" ? bulkId : null;
}

/** Whether a result may be that of an operation, as far as it says whose it is. */
function fits(result: JsonObject, operation: PlannedOperation | undefined): boolean {
  const { method } = result;
  const isOther = typeof method === "string" && method.toUpperCase() !== operation?.method;
  const bulkId = bulkIdOf(result);
  return !isOther && (bulkId === null || bulkId === operation?.bulkId);
}

interface Around {
  readonly answer: Answer;
  /** Whether the service may have stopped before the operation. */
  readonly stops: boolean;
}

function outcomeOf(
  operation: PlannedOperation,
  result: JsonObject | undefined,
  { answer, stops }: Around,
): OperationOutcome {
  const request: FailedRequest = { ...answer.request, method: operation.method, path: pathOf(operation) };
  const invalid = (what: string): OperationOutcome => ({
    kind: "failed",
    error: new InvalidAnswerError("invalidMessage", what, { request, status: answer.status }),
  });
  if (result === undefined) {
    return stops ? { kind: "untried" } : invalid("the answer to a bulk job says nothing of an operation");
  }
  const status = statusOf(result["status"]);
  if (status === null) return invalid("an operation of a bulk job has no 'status'");
  const { response } = result;
  const scim = isJsonObject(response) ? response : null;
  if (status >= 300) {
    const ifMatch = operation.tag ?? undefined;
    return { kind: "failed", error: refusalOf({ status, scim, headers: {} }, { request, ifMatch }) };
  }
  // RFC 7644 §3.7.3 asks for `location`; services exist that give the resource alone.
  const id =
    operation.method === "POST" ? (idAt(result["location"]) ?? textMember(scim, "id")) : operation.id;
  if (id === null) return invalid("what a bulk job created has no 'location'");
  const { version } = result;
  return { kind: "done", status, id, version: typeof version === "string" ? rawVersion(version) : null };
}

/** RFC 7644 §3.7.3 has text; some services send numbers, an object with `code`, or the words behind the number too. */
function statusOf(value: JsonValue | undefined): number | null {
  const plain = isJsonObject(value) ? value["code"] : value;
  const text = typeof plain === "number" ? String(plain) : plain;
  const [digits] = typeof text === "string" ? (/^[1-5]\d\d\b/.exec(text) ?? []) : [];
  return digits === undefined ? null : Number(digits);
}
