/**
 * The requests behind the tools that change something.
 * @module
 */
import {
  isOfOneState,
  rawVersion,
  UsageError,
  type ClientResourceType,
  type PlainAnswer,
  type PlainRequest,
} from "@scim/client/fetch";
import { isJsonObject, type JsonObject } from "@scim/schemas";
import { requiredText } from "../parameters.ts";
import { invalidParams } from "../tool-error.ts";
import type { ToolCall, ValueSchema } from "../tool.ts";

/** The parameter by which a change is only tried out. */
export const DRY_RUN: ValueSchema = {
  type: "boolean",
  description:
    "Whether to try it out only: nothing is written, and the result tells what would come of it. Refused where the service has no dry runs.",
};

/** A change on its way. */
export interface ToolRequest {
  readonly method: PlainRequest["method"];
  readonly path: string;
  readonly body?: JsonObject;
  /** Raw version on which it is made. Default: none. */
  readonly version?: string | undefined;
}

/**
 * An id that a call names.
 * @throws ToolError `invalidParams` where no address can hold it: URLs lose `.` and `..` (RFC 3986 §5.2.4)
 */
export function namedId(params: JsonObject, name: string): string {
  return requireInAddress(requiredText(params, name));
}

/**
 * Address of one resource.
 * @throws ToolError `invalidParams` where no address can hold its id
 */
export function pathOf({ endpoint }: ClientResourceType, id: string): string {
  return `${endpoint}/${encodeURIComponent(requireInAddress(id))}`;
}

function requireInAddress(id: string): string {
  if (id !== "." && id !== ".." && id.isWellFormed()) return id;
  throw invalidParams("What stands for the id can be no part of an address.");
}

/**
 * Sends a change; or tries it out, at an address that a service without dry runs does not have.
 * @throws ScimClientError
 */
export async function send(call: ToolCall, request: ToolRequest): Promise<PlainAnswer> {
  const { client, params, signal } = call;
  const dryRun = params["dry_run"] === true;
  if (dryRun && !(await (await call.discovery()).configExtension({ signal })).dryRun) {
    throw new UsageError("notOffered", "The service has no dry runs: leave 'dry_run' out. Nothing was done.");
  }
  const { method, path, body, version } = request;
  // A version lets a PATCH through once; without one, its operations may add up.
  const isOnce = method === "PATCH" && isOfOneState(version ?? null);
  return client.request({
    method,
    path: dryRun ? `/.dry-run${path}` : path,
    ...(body === undefined ? {} : { body }),
    headers: version === undefined ? {} : { "if-match": version === "*" ? "*" : `W/"${version}"` },
    repeatable: dryRun || method === "PUT" || method === "DELETE" || isOnce,
    signal,
  });
}

/** The result of a change: the resource as it is now, or what came of trying. */
export function changed(call: ToolCall, type: ClientResourceType, { answer, id }: Changed): JsonObject {
  const { body, headers } = answer;
  if (call.params["dry_run"] === true) return tried(call, type, body ?? {});
  if (body !== null) return call.shown(type, body);
  const tag = headers["etag"];
  return {
    ...(id === undefined ? {} : { id }),
    ...(tag === undefined ? {} : { meta: { version: rawVersion(tag) } }),
  };
}

/** What was answered to a change of a resource. */
export interface Changed {
  readonly answer: PlainAnswer;
  /** Id of the resource, where it is known. */
  readonly id?: string;
}

/** What a dry run came to; with its differences where nothing is hidden. */
function tried(call: ToolCall, type: ClientResourceType, body: JsonObject): JsonObject {
  const { valid = false, status = "", resource = null, error, diff = [] } = body;
  return {
    dry_run: true,
    valid,
    status: Number(status),
    resource: isJsonObject(resource) ? call.shown(type, resource) : null,
    ...(call.hidesValues ? {} : { diff }),
    ...(error === undefined ? {} : { error }),
  };
}
