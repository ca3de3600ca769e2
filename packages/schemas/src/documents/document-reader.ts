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

/** What a document is read by: made once of attributes, by {@link documentShape}. */
export interface DocumentShape {
  /** Members by lower-case name. */
  readonly members: ReadonlyMap<string, ShapeMember>;
  /** Members that must be there, or that have a default. */
  readonly expected: readonly ShapeMember[];
  /** Lower-case names of members that are left to others. */
  readonly ignored: ReadonlySet<string>;
}

/** A member of a document: the attribute that it holds, and the shape of its values where they are objects. */
interface ShapeMember {
  readonly attribute: Attribute;
  readonly defaultValue: unknown;
  readonly shape: DocumentShape | null;
}

/** What a shape knows beside attributes. */
export interface ShapeOptions {
  /** Values, by attribute name, for what is left out at any depth. */
  readonly defaults: ReadonlyMap<string, unknown>;
  /** Lower-case names of members of the document itself that are left to others. Default none. */
  readonly ignored?: ReadonlySet<string>;
}

/** Makes the shape of documents with these attributes. */
export function documentShape(
  attributes: readonly Attribute[],
  { defaults, ignored = new Set() }: ShapeOptions,
): DocumentShape {
  const members = attributes.map((attribute) => ({
    attribute,
    defaultValue: defaults.get(attribute.name),
    shape: attribute.type === "complex" ? documentShape(attribute.subAttributes, { defaults }) : null,
  }));
  return {
    members: new Map(members.map((member) => [member.attribute.name.toLowerCase(), member])),
    expected: members.filter((member) => member.attribute.required || member.defaultValue !== undefined),
    ignored,
  };
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
  if (!isObject(value)) {
    at.issues.add(at.path, "must be a JSON object");
    return {};
  }
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (at.issues.full) break;
    const lower = name.toLowerCase();
    const member = shape.members.get(lower);
    if (member === undefined) {
      if (!shape.ignored.has(lower))
        at.issues.add(at.path, `has a member ${quote(name)} that is not known here`);
    } else if (!isAbsent(value[name])) {
      const own = member.attribute.name;
      if (Object.hasOwn(read, own))
        at.issues.add(at.path, `has a member ${quote(name)} twice, but for letter case`);
      read[own] = readMember(value[name], member, { path: memberPath(at, own), issues: at.issues });
    }
  }
  addExpected(read, shape, at);
  return read;
}

/** Fills in defaults, and notes what is missing. */
function addExpected(read: Record<string, unknown>, shape: DocumentShape, at: ReadPlace): void {
  for (const { attribute, defaultValue } of shape.expected) {
    if (Object.hasOwn(read, attribute.name)) continue;
    if (defaultValue === undefined) at.issues.add(memberPath(at, attribute.name), "is missing");
    else read[attribute.name] = defaultValue;
  }
}

function memberPath(at: ReadPlace, name: string): string {
  return at.path === "" ? name : `${at.path}.${name}`;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function readMember(value: unknown, member: ShapeMember, at: ReadPlace): unknown {
  if (!member.attribute.multiValued) return readValue(value, member, at);
  if (!Array.isArray(value)) return refuse(at, "must be a list");
  if (value.length > MAX_LIST_LENGTH) return refuse(at, `must hold at most ${MAX_LIST_LENGTH} values`);
  return value.map((item: unknown, index) =>
    readValue(item, member, { path: `${at.path}[${index}]`, issues: at.issues }),
  );
}

function readValue(value: unknown, { attribute, shape }: ShapeMember, at: ReadPlace): unknown {
  if (shape !== null) return readObject(value, shape, at);
  switch (attribute.type) {
    case "boolean":
      return typeof value === "boolean" ? value : refuse(at, "must be true or false");
    case "integer":
      return Number.isSafeInteger(value) ? value : refuse(at, "must be a whole number");
    case "decimal":
      return Number.isFinite(value) ? value : refuse(at, "must be a number");
    default:
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
