/**
 * What the operations of a PATCH set and clear, as far as they do no more than that (RFC 7644 §3.5.2).
 * @module
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { memberNamed } from "../patch/json-equality.ts";

/** An operation that sets or clears an attribute, or that of some of its values. */
export interface ReadOperation {
  /** Empty for the resource itself. */
  readonly path: string;
  /** What the values hold that are meant; null where all of the attribute is. */
  readonly where: JsonObject | null;
  /** The sub-attribute of these values; null for the whole value. */
  readonly sub: string | null;
  /** Undefined where it is cleared. */
  readonly value: JsonValue | undefined;
  /** Whether values of a list are added to those that are there. */
  readonly isAddition: boolean;
}

/** A path of an attribute: the URN of its schema, its name, and the name of what is inside. */
export const PATH = /^(?:(urn:.+):)?([A-Za-z][\w$-]*)(?:\.([A-Za-z][\w$-]*))?$/i;
const VALUE_PATH = /^(?<path>(?:urn:.+:)?[A-Za-z][\w$-]*)\[(?<filter>.+)\](?:\.(?<sub>[A-Za-z][\w$-]*))?$/i;

/** The operations of a PATCH; null where one of them is more than that. */
export function operationsIn(data: JsonObject): readonly ReadOperation[] | null {
  const listed = memberNamed(data, "Operations");
  if (listed === undefined || !isJsonArray(listed)) return null;
  const read = listed.map(operationIn);
  return read.every((each) => each !== null) ? read : null;
}

function operationIn(operation: JsonValue): ReadOperation | null {
  if (!isJsonObject(operation)) return null;
  const { op, path, value } = operation;
  const kind = typeof op === "string" ? op.toLowerCase() : "";
  if (kind === "remove" ? value !== undefined : value === undefined || value === null) return null;
  const whole = { where: null, sub: null, value, isAddition: kind === "add" };
  if (path === undefined) return kind === "remove" ? null : { ...whole, path: "" };
  if (typeof path !== "string") return null;
  return PATH.test(path) ? { ...whole, path } : valueOperation(path, whole);
}

/**
 * An operation on values that a filter selects; null where it sets what the filter looks at, or values whole, of which
 * it is not to be seen what they had besides.
 */
function valueOperation(
  text: string,
  { value, isAddition }: Pick<ReadOperation, "value" | "isAddition">,
): ReadOperation | null {
  const { path, filter = "", sub = null } = VALUE_PATH.exec(text)?.groups ?? {};
  const where = path === undefined ? null : equalitiesOf(filter);
  if (path === undefined || where === null) return null;
  const isInPlace = value === undefined || (sub !== null && memberNamed(where, sub) === undefined);
  return isInPlace ? { path, where, sub, value, isAddition } : null;
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
