/**
 * Reads a JSON document by the attributes of a schema: checks types, required members and allowed values, and
 * gives back a new object in the schema's own spelling. It knows attributes as data only.
 * @module
 */
import type { Attribute } from "../attribute.ts";
import { quote, type IssueList } from "./issue-list.ts";

/** Greatest length of a string in a document, in UTF-16 units. */
const MAX_STRING_LENGTH = 8192;
/** Greatest number of values in a list of a document. */
const MAX_LIST_LENGTH = 2000;

const NOTHING: ReadonlySet<string> = new Set();

/** What a document is read by. */
export interface DocumentShape {
  readonly attributes: readonly Attribute[];
  /** Lower-case names of members of the document itself that are left to others. */
  readonly ignored: ReadonlySet<string>;
  /** Values, by attribute name, for what is left out at any depth. */
  readonly defaults: ReadonlyMap<string, unknown>;
}

/** Where the reader is, and where it notes what is wrong. */
export interface ReadPlace {
  readonly path: string;
  readonly issues: IssueList;
}

/** An object read by a shape: own members only, named as the schema names them. */
export type ReadObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is ReadObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads an object. Null and the empty list count as absent (RFC 7643 §2.5), and letter case of member names
 * does not matter (RFC 7643 §2.1). Faults go to `issues`; what is faulty is left out of the result.
 */
export function readObject(value: unknown, shape: DocumentShape, at: ReadPlace): ReadObject {
  const { path, issues } = at;
  if (!isObject(value)) {
    issues.add(path, "must be a JSON object");
    return {};
  }
  const members = membersOf(value, shape, at);
  const read = new Map<string, unknown>();
  for (const attribute of shape.attributes) {
    const member = members.get(attribute.name.toLowerCase());
    const memberPath = path === "" ? attribute.name : `${path}.${attribute.name}`;
    if (!isAbsent(member))
      read.set(attribute.name, readMember(member, { attribute, shape }, { path: memberPath, issues }));
    else if (shape.defaults.has(attribute.name)) read.set(attribute.name, shape.defaults.get(attribute.name));
    else if (attribute.required) issues.add(memberPath, "is missing");
  }
  return Object.fromEntries(read);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function membersOf(value: ReadObject, shape: DocumentShape, at: ReadPlace): ReadonlyMap<string, unknown> {
  const known = new Set(shape.attributes.map((attribute) => attribute.name.toLowerCase()));
  const members = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    if (at.issues.full) break;
    const lower = name.toLowerCase();
    if (shape.ignored.has(lower)) continue;
    if (!known.has(lower)) at.issues.add(at.path, `has a member ${quote(name)} that is not known here`);
    else if (members.has(lower))
      at.issues.add(at.path, `has a member ${quote(name)} twice, but for letter case`);
    else members.set(lower, member);
  }
  return members;
}

/** An attribute, and the shape of the document that it is read for. */
interface AttributeInShape {
  readonly attribute: Attribute;
  readonly shape: DocumentShape;
}

function readMember(value: unknown, by: AttributeInShape, at: ReadPlace): unknown {
  if (!by.attribute.multiValued) return readValue(value, by, at);
  if (!Array.isArray(value)) return refuse(at, "must be a list");
  if (value.length > MAX_LIST_LENGTH) return refuse(at, `must hold at most ${MAX_LIST_LENGTH} values`);
  return value.map((item: unknown, index) => readValue(item, by, { ...at, path: `${at.path}[${index}]` }));
}

function readValue(value: unknown, { attribute, shape }: AttributeInShape, at: ReadPlace): unknown {
  switch (attribute.type) {
    case "complex":
      return readObject(value, { ...shape, attributes: attribute.subAttributes, ignored: NOTHING }, at);
    case "boolean":
      return typeof value === "boolean" ? value : refuse(at, "must be true or false");
    case "integer":
      return Number.isSafeInteger(value) ? value : refuse(at, "must be a whole number");
    case "decimal":
      return Number.isFinite(value) ? value : refuse(at, "must be a number");
    case "string":
    case "dateTime":
    case "binary":
    case "reference":
      return typeof value === "string" ? readString(value, attribute, at) : refuse(at, "must be a string");
  }
}

function readString(value: string, attribute: Attribute, at: ReadPlace): unknown {
  if (value.length > MAX_STRING_LENGTH)
    return refuse(at, `must have at most ${MAX_STRING_LENGTH} characters`);
  const allowed = attribute.canonicalValues;
  if (allowed.length === 0) return value;
  const same = attribute.caseExact
    ? allowed.find((candidate) => candidate === value)
    : allowed.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
  return same ?? refuse(at, `must be one of ${allowed.join(", ")}, not ${quote(value)}`);
}

function refuse(at: ReadPlace, message: string): undefined {
  at.issues.add(at.path, message);
  return undefined;
}
