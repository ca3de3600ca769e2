/**
 * Whether a resource is what a change was to make of it, as far as that is to be seen.
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { holds, memberOf } from "../resources/holds.ts";
import type { PlannedChange } from "./operation.ts";

/** A change of a resource. */
type Change = Pick<PlannedChange, "method" | "data">;

/** Whether a resource is what a change was to make of it. */
export function isInEffect({ method, data }: Change, resource: JsonObject): boolean {
  if (data === null) return false;
  if (method === "PUT") return isShown(resource, data);
  const operations = operationsIn(data);
  return operations !== null && operations.every((each) => isMade(each, resource));
}

/** Whether making a change twice comes to the same: so it does of a PATCH that sets and clears whole attributes alone. */
export function isRepeatable({ method, data }: Change): boolean {
  if (method === "PUT") return true;
  return data !== null && operationsIn(data)?.every(({ where }) => where === null) === true;
}

/** Whether it can be told of a change that it is in effect: of a PATCH, where it sets and clears what stays where it is. */
export function isUnderstood({ method, data }: Change): boolean {
  return method === "PUT" || (data !== null && operationsIn(data) !== null);
}

/** An operation that sets or clears an attribute, or that of some of its values. */
interface ReadOperation {
  /** Empty for the resource itself. */
  readonly path: string;
  /** What the values hold that are meant; null where all of the attribute is. */
  readonly where: JsonObject | null;
  /** The sub-attribute of these values; null for the whole value. */
  readonly sub: string | null;
  /** Undefined where it is cleared. */
  readonly value: JsonValue | undefined;
}

/** A path of an attribute: the URN of its schema, its name, and the name of what is inside. */
export const PATH = /^(?:(urn:.+):)?([A-Za-z][\w$-]*)(?:\.([A-Za-z][\w$-]*))?$/i;
const VALUE_PATH = /^(?<path>(?:urn:.+:)?[A-Za-z][\w$-]*)\[(?<filter>.+)\](?:\.(?<sub>[A-Za-z][\w$-]*))?$/i;

/** The operations of a PATCH; null where one of them is more than that. */
export function operationsIn(data: JsonObject): readonly ReadOperation[] | null {
  const listed = memberOf(data, "Operations");
  if (listed === undefined || !isJsonArray(listed)) return null;
  const read = listed.map(operationIn);
  return read.every((each) => each !== null) ? read : null;
}

function operationIn(operation: JsonValue): ReadOperation | null {
  if (!isJsonObject(operation)) return null;
  const { op, path, value } = operation;
  const kind = typeof op === "string" ? op.toLowerCase() : "";
  if (kind === "remove" ? value !== undefined : value === undefined || value === null) return null;
  const whole = { where: null, sub: null, value };
  if (path === undefined) return kind === "remove" ? null : { ...whole, path: "" };
  if (typeof path !== "string") return null;
  return PATH.test(path) ? { ...whole, path } : valueOperation(path, value);
}

/**
 * An operation on values that a filter selects; null where it sets what the filter looks at, or values whole, of which it is not to be
 * seen what they had besides.
 */
function valueOperation(text: string, value: JsonValue | undefined): ReadOperation | null {
  const { path, filter = "", sub = null } = VALUE_PATH.exec(text)?.groups ?? {};
  const where = path === undefined ? null : equalitiesOf(filter);
  if (path === undefined || where === null) return null;
  const isInPlace = value === undefined || (sub !== null && memberOf(where, sub) === undefined);
  return isInPlace ? { path, where, sub, value } : null;
}

const EQUALITY = /\s*([A-Za-z][\w$-]*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false|-?\d+(?:\.\d+)?)\s*(and\s|$)/iy;

/** What a filter says where it is of equalities alone; null where it says more. */
function equalitiesOf(filter: string): JsonObject | null {
  const found: [string, JsonValue][] = [];
  EQUALITY.lastIndex = 0;
  for (let goesOn = true; goesOn;) {
    const [, name, literal, and] = EQUALITY.exec(filter) ?? [];
    if (name === undefined || literal === undefined) return null;
    try {
      // A literal of a filter is one of JSON (RFC 7644 §3.4.2.2), in any letter case where it is none of text.
      found.push([name, JSON.parse(literal.startsWith('"') ? literal : literal.toLowerCase()) as JsonValue]);
    } catch {
      return null;
    }
    goesOn = and !== "";
  }
  return Object.fromEntries(found);
}

function isMade({ path, where, sub, value }: ReadOperation, resource: JsonObject): boolean {
  const at = namesIn(resource, path).reduce<JsonValue | undefined>(
    (held, name) => (held !== undefined && isJsonObject(held) ? memberOf(held, name) : undefined),
    resource,
  );
  if (where !== null) return at !== undefined && isMadeOf(valuesOf(at, where), { sub, value });
  if (value === undefined) return at === undefined || at === null;
  return at !== undefined && isShown(at, value);
}

function valuesOf(held: JsonValue, where: JsonObject): readonly JsonObject[] {
  const values = isJsonArray(held) ? held : [held];
  return values.filter((each): each is JsonObject => isJsonObject(each) && isShown(each, where));
}

function isMadeOf(
  values: readonly JsonObject[],
  { sub, value }: Pick<ReadOperation, "sub" | "value">,
): boolean {
  if (sub === null) return values.length === 0;
  if (value === undefined) return values.every((each) => memberOf(each, sub) === undefined);
  return values.length > 0 && values.every((each) => isShown(each, { [sub]: value }));
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
