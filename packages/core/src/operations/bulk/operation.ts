/**
 * Reads the operations of a bulk job. What is wrong with one is its own error, and no other's.
 * @module
 */
import { isJsonObject, isScimError, ScimError, type JsonObject, type JsonValue } from "@scim/schemas";
import { memberOf } from "../../attributes/json-object.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import type { ServedType } from "../../service.ts";
import { parseEntityTags } from "../../versioning/entity-tags.ts";
import type { Precondition } from "../../versioning/precondition.ts";
import type { OwnResource } from "../me.ts";
import { readAddress, type AddressContext, type BulkAddress } from "./address.ts";
import { requireFewNames } from "./patch-names.ts";

/** An operation as far as it could be read. */
export interface BulkOperation {
  /** Upper case where it is one; else what the client sent. */
  readonly method: string;
  readonly bulkId: string | null;
  /** The resource that it changes; null for a POST, and where its path names none. */
  readonly target: BulkTarget | null;
  readonly task: Task | ScimError;
}

/** A resource that an operation changes, which is told also where the rest of the operation cannot be read. */
export interface BulkTarget {
  readonly model: ResourceModel;
  /** May be a reference to what another operation makes: `bulkId:<name>`. */
  readonly id: string;
}

/** What an operation is to do. */
export type Task = CreateTask | ChangeTask;

interface TaskCommon {
  readonly type: ServedType;
  readonly model: ResourceModel;
  /** As sent: it may hold references to what other operations make. Null for a deletion. */
  readonly data: JsonValue;
}

/** Creates a resource. */
export interface CreateTask extends TaskCommon {
  readonly operation: "create";
}

/** Changes or deletes a resource. */
export interface ChangeTask extends TaskCommon, BulkTarget {
  readonly operation: "replace" | "patch" | "delete";
  readonly precondition: Precondition;
}

/** What reading operations needs to know. */
export interface ReadingContext extends AddressContext {
  readonly modelOf: (type: ServedType) => ResourceModel;
  /** Who `/Me` is; throws `ScimError` where nobody is. */
  readonly me: () => OwnResource;
}

const OPERATIONS: ReadonlyMap<string, Task["operation"]> = new Map([
  ["POST", "create"],
  ["PUT", "replace"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

/** Reads all operations of a job. A `bulkId` that was there before makes the later operation fail. */
export function readOperations(
  operations: readonly JsonValue[],
  context: ReadingContext,
): readonly BulkOperation[] {
  const bulkIds = new Set<string>();
  return operations.map((raw) => {
    const operation = readOperation(raw, context);
    const { bulkId } = operation;
    if (bulkId === null) return operation;
    if (!bulkIds.has(bulkId)) {
      bulkIds.add(bulkId);
      return operation;
    }
    const error = new ScimError(
      "invalidValue",
      "'bulkId' names an operation before this one: give each its own.",
    );
    return { ...operation, task: error };
  });
}

function readOperation(raw: JsonValue, context: ReadingContext): BulkOperation {
  const read = attempt(() => readMembers(raw, context));
  return isScimError(read) ? { method: "", bulkId: null, target: null, task: read } : read;
}

function readMembers(raw: JsonValue, context: ReadingContext): BulkOperation {
  if (!isJsonObject(raw)) throw new ScimError("invalidSyntax", "The operation must be a JSON object.");
  const word = memberOf(raw, "method");
  const sent = typeof word === "string" ? word : "";
  const operation = OPERATIONS.get(sent.toUpperCase());
  const bulkId = memberOf(raw, "bulkid");
  return {
    method: operation === undefined ? sent : sent.toUpperCase(),
    bulkId: typeof bulkId === "string" && bulkId !== "" ? bulkId : null,
    ...readTask(raw, operation, context),
  };
}

function readTask(
  raw: JsonObject,
  operation: Task["operation"] | undefined,
  context: ReadingContext,
): Pick<BulkOperation, "target" | "task"> {
  if (operation === "create") {
    return { target: null, task: attempt(() => readCreate(raw, addressOf(raw, context), context)) };
  }
  const target = attempt(() => {
    if (operation === undefined)
      throw new ScimError("invalidSyntax", "'method' must be POST, PUT, PATCH or DELETE.");
    return { operation, ...changedResource(addressOf(raw, context), context) };
  });
  if (isScimError(target)) return { target: null, task: target };
  return { target, task: attempt(() => readChange(raw, target)) };
}

function attempt<T>(read: () => T): T | ScimError {
  try {
    return read();
  } catch (error) {
    if (isScimError(error)) return error;
    throw error;
  }
}

function addressOf(raw: JsonObject, context: ReadingContext): BulkAddress {
  const path = memberOf(raw, "path");
  if (typeof path === "string") return readAddress(path, context);
  throw new ScimError(
    "invalidSyntax",
    "'path' is required: an endpoint such as /Users, or a resource such as /Users/{id}.",
  );
}

function readCreate(raw: JsonObject, address: BulkAddress, context: ReadingContext): CreateTask {
  if (address.kind === "me") {
    throw new ScimError("notImplemented", "POST /Me is not offered; create the resource at its endpoint.");
  }
  if (address.kind === "resource") {
    throw new ScimError(
      "invalidValue",
      "'path' of a POST must be an endpoint such as /Users, without an id.",
    );
  }
  const { type } = address;
  requireOffered(type, "create");
  const bulkId = memberOf(raw, "bulkid");
  if (typeof bulkId !== "string" || bulkId === "") {
    throw new ScimError(
      "invalidSyntax",
      "'bulkId' is required for POST: any name that no other operation of the job has.",
    );
  }
  return { operation: "create", type, model: context.modelOf(type), data: readData(raw) };
}

function readChange(
  raw: JsonObject,
  target: Pick<ChangeTask, "operation" | "type" | "model" | "id">,
): ChangeTask {
  requireOffered(target.type, target.operation);
  const data = target.operation === "delete" ? null : readData(raw);
  if (target.operation === "patch" && isJsonObject(data)) requireFewNames(data);
  return { ...target, data, precondition: readPrecondition(raw) };
}

function changedResource(
  address: BulkAddress,
  context: ReadingContext,
): Pick<ChangeTask, "type" | "model" | "id"> {
  if (address.kind === "type") {
    throw new ScimError(
      "invalidValue",
      "'path' must name a resource, such as /Users/{id}: only a POST goes to the endpoint.",
    );
  }
  const { type, id } = address.kind === "resource" ? address : context.me();
  return { type, model: context.modelOf(type), id };
}

function requireOffered(type: ServedType, operation: Task["operation"]): void {
  if (type.operations.has(operation)) return;
  throw new ScimError(
    "methodNotAllowed",
    `Resources of type ${type.name} cannot be changed in this way: the service does not offer '${operation}' for them.`,
  );
}

function readData(raw: JsonObject): JsonValue {
  const data = memberOf(raw, "data");
  if (data === undefined || data === null) {
    throw new ScimError(
      "invalidSyntax",
      "'data' is required: the body that the request would have by itself.",
    );
  }
  return data;
}

/** `version` is what If-Match is for a request by itself, raw or as an entity tag. */
function readPrecondition(raw: JsonObject): Precondition {
  const version = memberOf(raw, "version");
  if (version === undefined || version === null) return { ifMatch: null, ifNoneMatch: null };
  if (typeof version !== "string")
    throw new ScimError("invalidSyntax", "'version' must be text: the version that the resource must have.");
  return { ifMatch: parseEntityTags("'version'", version), ifNoneMatch: null };
}
