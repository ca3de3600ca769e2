/**
 * Operations of a bulk job, and what they refer to (RFC 7644 §3.7.2).
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  type BulkOperation,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import type { UnknownOutcomeError } from "../errors/connection-error.ts";
import type { CallOptions } from "../resources/options.ts";
import type { ClientResourceType } from "../resources/resource-type.ts";
import type { DoneOperation } from "./outcome.ts";

/** An operation before it is sent. */
export type PlannedOperation = PlannedCreation | PlannedChange;

interface Planned {
  readonly bulkId: string;
  /** The bulkIds that it refers to. */
  readonly references: ReadonlySet<string>;
  /** Path of the collection: `/Users`. */
  readonly endpoint: string;
}

/**
 * Creates a resource by itself, once: where nobody knows whether it was created, it is looked up; at once, where a doubt
 * of an earlier request is given.
 */
export type CreateAlone = (
  data: JsonObject,
  call: CallOptions,
  doubt?: UnknownOutcomeError,
) => Promise<DoneOperation>;

/** A resource to create. */
export interface PlannedCreation extends Planned {
  readonly method: "POST";
  readonly id: null;
  readonly tag: null;
  readonly data: JsonObject;
  /** How it is created where the service has no bulk. */
  readonly createAlone: CreateAlone;
}

/** A resource to change or delete. */
export interface PlannedChange extends Planned {
  readonly method: Exclude<BulkOperation["method"], "POST">;
  readonly type: Pick<ClientResourceType, "schema" | "extensions">;
  /** Id of the resource, or a reference to one. */
  readonly id: string;
  /** Entity tag that the resource must still have, or null. */
  readonly tag: string | null;
  readonly data: JsonObject | null;
}

const REFERENCE = "bulkId:";

/** What stands for the id of a resource that is not created yet. */
export function referenceTo(bulkId: string): string {
  return REFERENCE + bulkId;
}

/** Finds the bulkIds that an operation refers to. */
export function referencesOf({ id, data }: Pick<PlannedOperation, "id" | "data">): ReadonlySet<string> {
  const found = new Set<string>();
  collect(id, found);
  collect(data, found);
  return found;
}

function collect(value: JsonValue, found: Set<string>): void {
  if (typeof value === "string") {
    if (value.startsWith(REFERENCE)) found.add(value.slice(REFERENCE.length));
  } else if (isJsonArray(value)) {
    for (const each of value) collect(each, found);
  } else if (isJsonObject(value)) {
    for (const each of Object.values(value)) collect(each, found);
  }
}

/** The operation with the ids of what was created in the place of references. */
export function resolved(operation: PlannedOperation, ids: ReadonlyMap<string, string>): PlannedOperation {
  if (operation.references.size === 0) return operation;
  const replaceText = (value: string): string =>
    value.startsWith(REFERENCE) ? (ids.get(value.slice(REFERENCE.length)) ?? value) : value;
  const replaced = (data: JsonObject): JsonObject =>
    // What was JSON is JSON again; so is a Date, say, which programs without types may give.
    JSON.parse(JSON.stringify(data), (_name, value: JsonValue) =>
      typeof value === "string" ? replaceText(value) : value,
    ) as JsonObject;
  if (operation.method === "POST") return { ...operation, data: replaced(operation.data) };
  const { id, data } = operation;
  return { ...operation, id: replaceText(id), data: data === null ? null : replaced(data) };
}

/** The path that an operation is about: of a resource, or of the collection in which one is created. */
export function pathOf({ endpoint, id }: Pick<PlannedOperation, "endpoint" | "id">): string {
  if (id === null) return endpoint;
  return `${endpoint}/${id.startsWith(REFERENCE) ? id : encodeURIComponent(id)}`;
}

/** The operation as it stands in a BulkRequest. */
export function messageOf(operation: PlannedOperation): BulkOperation {
  const { method, bulkId, tag, data } = operation;
  return {
    method,
    bulkId,
    path: pathOf(operation),
    ...(tag === null ? {} : { version: tag }),
    ...(data === null ? {} : { data }),
  };
}
