/**
 * Says in words what happened to a request: which tolerances it made use of, which rule it broke, what to change.
 * @module
 */
import { SWITCHES } from "@scim/core";
import { ERROR_CODES, isJsonObject, type JsonValue } from "@scim/schemas";
import type { LoggedRequest } from "./entry.ts";
import { describeValue, type FindSent, sentValues } from "./sent-value.ts";

/**
 * One sentence for each tolerance, and what was refused with the rule and the remedy; none where nothing is to be said.
 *
 * @example
 * explainRequest(entry);
 * // ['entra sent active as the string "False"; switch string-booleans read it as false.']
 */
export function explainRequest(entry: LoggedRequest): readonly string[] {
  return [
    ...explainSwitches(entry),
    ...explainError(entry),
    ...entry.failedOperations.map(
      ({ index, method, errorCode }) =>
        `Operations[${index}] of the bulk job (${method}) failed. ${ruleOf(errorCode)}`,
    ),
  ];
}

function explainSwitches({ connection, body, switches }: LoggedRequest): readonly string[] {
  if (switches.length === 0) return [];
  const find = body === null ? () => undefined : sentValues(body.json);
  return switches.map((fired) => explainSwitch({ connection, find }, fired));
}

function explainSwitch(
  { connection, find }: Pick<LoggedRequest, "connection"> & { readonly find: FindSent },
  { name, path }: LoggedRequest["switches"][number],
): string {
  const sent = find(path, name);
  const { does, otherwise } = SWITCHES[name];
  // What is not shown, such as in a bulk job at `/Me`, says no more than that it was a string.
  if (name === "string-booleans" && typeof sent === "string" && /^(?:true|false)$/i.test(sent))
    return `${connection} sent ${path} as the string ${JSON.stringify(sent)}; switch ${name} read it as ${sent.toLowerCase()}.`;
  const what = sent === undefined ? `At '${path}'` : `${connection} sent ${path} as ${describeValue(sent)}`;
  return `${what}; switch ${name}: ${does} Without it: ${otherwise}`;
}

function explainError({ errorCode, status, answer }: LoggedRequest): readonly string[] {
  if (errorCode === null) return [];
  const detail = detailOf(answer?.json ?? null);
  return [`Refused with ${status}${detail === null ? "." : `: ${detail}`} ${ruleOf(errorCode)}`];
}

function ruleOf(code: string): string {
  const row = Object.entries(ERROR_CODES).find(([name]) => name === code)?.[1];
  return row === undefined ? `Code ${code}.` : `Rule: ${code}, ${row.section}. To change: ${row.remedy}`;
}

function detailOf(json: JsonValue): string | null {
  const detail = isJsonObject(json) ? json["detail"] : null;
  return typeof detail === "string" ? detail : null;
}
