/**
 * Whether a new service stops where the log does: where it refuses what the log has otherwise, a case lacks something that its
 * answer depends on, and a profile had less to say than it has.
 * @module
 */
import type { CaseAnswer, RequestCase } from "@scim/events";
import { isJsonArray, isJsonObject, type JsonObject } from "@scim/schemas";

/**
 * Whether all that an answer refuses, operations of a bulk job among it, was refused so before. What succeeds has met all
 * that a profile says, whatever else refused it then: a scope, a rate, a guard.
 */
export function isRefusedAsLogged({ expect }: Pick<RequestCase, "expect">, answer: CaseAnswer): boolean {
  const logged = statusesOf(expect);
  return statusesOf(answer).every((status, at) => status < 400 || status === logged[at]);
}

/** The status of an answer, and those of the operations of a bulk job, as far as they are kept. */
function statusesOf({ status, body }: CaseAnswer): readonly number[] {
  const list = isJsonObject(body) ? body["Operations"] : undefined;
  return [status, ...(isJsonArray(list) ? list.filter(isJsonObject).map(statusOf) : [])];
}

function statusOf({ status }: JsonObject): number {
  return Number(status);
}
