/**
 * Entries of the request log, runs and changes, as a terminal shows them.
 * @module
 */
import {
  type AuditChange,
  type AuditValue,
  explainRequest,
  type RequestRun,
  type RunChange,
  type ShownBody,
  type StoredRequest,
} from "@scim/events";
import { columns } from "../columns.ts";

/** One line, and what happened in words below it. */
export function requestLine(entry: StoredRequest): string {
  const { id, at, connection, method, target, status, durationMs } = entry;
  const line = `${at}  ${id}  ${connection}  ${status}  ${method} ${target}  ${durationMs} ms`;
  return [line, ...explainRequest(entry).map((sentence) => `    ${sentence}`)].join("\n");
}

/** Everything that the log has of a request. */
export function requestPage(entry: StoredRequest): string {
  const { id, at, run, connection, credential, requestId, status, durationMs, headers } = entry;
  const facts = columns([
    ["id", id],
    ["request id", requestId],
    ["run", run],
    ["at", at],
    ["connection", connection],
    ["credential", credential ?? "-"],
    ["answered in", `${durationMs} ms`],
  ]);
  const words = explainRequest(entry);
  return [
    facts,
    ...(words.length === 0 ? [] : ["", "What happened", ...words.map((sentence) => `  ${sentence}`)]),
    "",
    `${entry.method} ${entry.target}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...bodyLines(entry.body),
    "",
    `${status}`,
    ...bodyLines(entry.answer),
  ].join("\n");
}

function bodyLines(body: ShownBody | null): readonly string[] {
  if (body === null) return [];
  return [
    ...(body.json === null ? [] : [JSON.stringify(body.json, null, 2)]),
    ...(body.note === undefined ? [] : [`(${body.note})`]),
    ...(body.cuts ?? []).map(
      ({ path, shown, of }) => `(${path === "" ? "body" : path}: ${shown} of ${of} shown)`,
    ),
  ];
}

/** Runs as a table. */
export function runTable(runs: readonly RequestRun[]): string {
  const rows = runs.map(({ run, connection, begun, ended, requests, failed, skipped }) => [
    run,
    connection,
    begun,
    ended,
    String(requests),
    String(failed),
    String(skipped),
  ]);
  return columns([["run", "connection", "begun", "ended", "requests", "failed", "not logged"], ...rows]);
}

/** What a run changed, each resource with the attributes before and after. */
export function changeLines(changes: readonly RunChange[]): readonly string[] {
  return changes.flatMap(({ position, kind, type, id, requestId, changes: attributes, collections }) => [
    "",
    `${kind} ${type}/${id}  (event ${position}, request ${requestId})`,
    ...attributeLines(attributes),
    ...collections.flatMap(({ path, removed, added }) => [
      ...(count(removed) === "0" ? [] : [`  ${path}: ${count(removed)} removed`]),
      ...(count(added) === "0" ? [] : [`  ${path}: ${count(added)} added`]),
    ]),
  ]);
}

/** How attributes change: what was, and what is. */
export function attributeLines(changes: readonly AuditChange[]): readonly string[] {
  return changes.map(({ path, before, after }) =>
    // What no JSON tells, such as a password, was set, changed or removed.
    before === undefined && after === undefined
      ? `  ${path}: changed`
      : `  ${path}: ${valueText(before)} → ${valueText(after)}`,
  );
}

function valueText(value: AuditValue | undefined): string {
  if (value === undefined) return "nothing";
  if ("hash" in value) return value.hash;
  return "value" in value ? JSON.stringify(value.value) : "withheld";
}

function count(values: readonly string[] | number | "all"): string {
  return typeof values === "object" ? String(values.length) : String(values);
}
