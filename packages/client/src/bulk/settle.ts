/**
 * Finds out what became of an operation whose bulk request was lost, and does it by itself where it was not done.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { UnknownOutcomeError } from "../errors/connection-error.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Engine } from "../exchange/engine.ts";
import { holds, memberOf } from "../resources/holds.ts";
import type { CallOptions } from "../resources/options.ts";
import { rawVersion } from "../versions/entity-tag.ts";
import { metaVersion } from "../versions/version-memory.ts";
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
 * become, it is done; else nobody knows.
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
  const read = await currentOf(engine, operation, call);
  const { body, headers } = read;
  const tag = headers["etag"] ?? metaVersion(body ?? {});
  // First, since it proves that nothing was done: of what a change clears, or has in other letters, little is to be seen.
  if (operation.tag !== null && tag !== undefined && sameVersion(operation.tag, tag))
    return sendSingle(engine, operation, call);
  if (body !== null && isInEffect(operation, body)) {
    return {
      kind: "done",
      status: 200,
      id: operation.id,
      version: tag === undefined ? null : rawVersion(tag),
    };
  }
  throw new UnknownOutcomeError("nobody knows whether it was done: the resource has changed meanwhile", {
    request: doubt.request ?? read.request,
    candidates: [operation.id],
    cause: doubt,
  });
}

function currentOf(
  engine: Engine,
  { endpoint, id }: PlannedChange,
  { headers = {}, signal, timeout }: CallOptions,
): Promise<Answer> {
  const path = `${endpoint}/${encodeURIComponent(id)}`;
  return engine.send({ method: "GET", path, headers, repetition: "safe", signal, timeout });
}

/** What is gone already was deleted. */
async function remove(engine: Engine, operation: PlannedChange, call: CallOptions): Promise<DoneOperation> {
  try {
    return await sendSingle(engine, operation, call);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    return { kind: "done", status: 204, id: operation.id, version: null };
  }
}

/** A version that is derived from others too begins with that of the last write, up to `~`. */
function sameVersion(left: string, right: string): boolean {
  const write = (tag: string): string => rawVersion(tag).replace(/~.*$/, "");
  return write(left) === write(right);
}

/** Whether a resource is what a change was to make of it. */
function isInEffect({ method, data }: PlannedChange, resource: JsonObject): boolean {
  if (data === null) return false;
  if (method === "PUT") return isShown(resource, data);
  const operations = plainOperations(data);
  return operations !== null && operations.every((each) => isMade(each, resource));
}

/** Whether making a change twice comes to the same: so it does of a PATCH that sets and clears whole attributes alone. */
function isRepeatable({ method, data }: PlannedChange): boolean {
  return method === "PUT" || (data !== null && plainOperations(data) !== null);
}

/** An operation that sets or clears an attribute. */
interface PlainOperation {
  /** Empty for the resource itself. */
  readonly path: string;
  /** Undefined where it is cleared. */
  readonly value: JsonValue | undefined;
}

const PATH = /^(?:(urn:.+):)?([A-Za-z][\w$-]*)(?:\.([A-Za-z][\w$-]*))?$/i;

/** The operations of a PATCH; null where one of them is more than that. */
function plainOperations(data: JsonObject): readonly PlainOperation[] | null {
  const listed = memberOf(data, "Operations");
  if (listed === undefined || !isJsonArray(listed)) return null;
  const plain = listed.map(plainOperation);
  return plain.every((each) => each !== null) ? plain : null;
}

function plainOperation(operation: JsonValue): PlainOperation | null {
  if (!isJsonObject(operation)) return null;
  const { op, path, value } = operation;
  const kind = typeof op === "string" ? op.toLowerCase() : "";
  if (kind === "remove" ? value !== undefined : value === undefined || value === null) return null;
  if (path === undefined) return kind === "remove" ? null : { path: "", value };
  return typeof path === "string" && PATH.test(path) ? { path, value } : null;
}

function isMade({ path, value }: PlainOperation, resource: JsonObject): boolean {
  const at = namesIn(resource, path).reduce<JsonValue | undefined>(
    (held, name) => (held !== undefined && isJsonObject(held) ? memberOf(held, name) : undefined),
    resource,
  );
  if (value === undefined) return at === undefined || at === null;
  return at !== undefined && isShown(at, value);
}

/**
 * The names that lead to what a path means. The URN of an extension is a member of the resource; that of the schema which the
 * resource itself is of is none.
 */
function namesIn(resource: JsonObject, path: string): readonly string[] {
  if (path === "") return [];
  if (memberOf(resource, path) !== undefined) return [path];
  const [urn, ...names] = PATH.exec(path)?.slice(1) ?? [];
  const own = names.filter((name) => name !== undefined);
  const isOwn =
    urn === undefined || (memberOf(resource, urn) === undefined && holds(resource, { schemas: [urn] }));
  return isOwn ? own : [urn, ...own];
}

/** Whether what was sent is there to be seen: what a service does not return tells nothing. */
function isShown(found: JsonValue, sent: JsonValue): boolean {
  if (!holds({ found }, { found: sent })) return false;
  if (!isJsonObject(sent)) return true;
  return isJsonObject(found) && Object.keys(sent).every((name) => memberOf(found, name) !== undefined);
}
