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
  /** Members by name, and by lower-case name. */
  readonly members: ReadonlyMap<string, ShapeMember>;
  /** Members that must be there, or that have a default. */
  readonly expected: readonly ShapeMember[];
  /** Lower-case names of members that are left to others. */
  readonly ignored: ReadonlySet<string>;
  readonly tolerated: ToleratedForms;
}

/** Forms that published documents have though they are wrong: read as what is meant, and told in a notice. */
export interface ToleratedForms {
  /** Members without meaning here, by lower-case name: why. */
  readonly ignored: ReadonlyMap<string, string>;
  /** Other spellings of members, by lower-case name. */
  readonly spellings: ReadonlyMap<string, string>;
  /** Values that stand for others, by the member's name and the value in lower case. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Lists, by name, that may be a single value. */
  readonly single: ReadonlySet<string>;
}

const NOTHING_TOLERATED: ToleratedForms = {
  ignored: new Map(),
  spellings: new Map(),
  values: new Map(),
  single: new Set(),
};

/** A member of a document: the attribute that it holds, and the shape of its values where they are objects. */
interface ShapeMember {
  readonly attribute: Attribute;
  readonly defaultValue: unknown;
  readonly shape: DocumentShape | null;
  /** Greatest number of values of a list. */
  readonly maxValues: number;
  readonly tolerated: ToleratedForms;
}

/** What a shape knows beside attributes. */
export interface ShapeOptions {
  /** Values, by attribute name, for what is left out at any depth. */
  readonly defaults: ReadonlyMap<string, unknown>;
  /** Lower-case names of members of the document itself that are left to others. Default none. */
  readonly ignored?: ReadonlySet<string>;
  /** Greatest number of values, by name of the list, where it is not the usual one. */
  readonly maxValues?: ReadonlyMap<string, number>;
  /** Forms that are tolerated inside the objects of the document. Default none. */
  readonly tolerated?: ToleratedForms;
}

/** Makes the shape of documents with these attributes. */
export function documentShape(attributes: readonly Attribute[], options: ShapeOptions): DocumentShape {
  return shapeOf(attributes, { ...options, within: NOTHING_TOLERATED });
}

function shapeOf(
  attributes: readonly Attribute[],
  options: ShapeOptions & { readonly within: ToleratedForms },
): DocumentShape {
  const { defaults, ignored = new Set(), maxValues, tolerated = NOTHING_TOLERATED, within } = options;
  const inner = { ...options, ignored: new Set<string>(), within: tolerated };
  const members = attributes.map((attribute) => ({
    attribute,
    defaultValue: defaults.get(attribute.name),
    shape: attribute.type === "complex" ? shapeOf(attribute.subAttributes, inner) : null,
    maxValues: maxValues?.get(attribute.name) ?? MAX_LIST_LENGTH,
    tolerated: within,
  }));
  return {
    members: new Map(
      members.flatMap((member) => {
        const { name } = member.attribute;
        return [[name, member] as const, [name.toLowerCase(), member] as const];
      }),
    ),
    expected: members.filter((member) => member.attribute.required || member.defaultValue !== undefined),
    ignored,
    tolerated: within,
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
    const member = memberOf(name, shape, at);
    if (member !== undefined && !isAbsent(value[name])) {
      const own = member.attribute.name;
      if (Object.hasOwn(read, own))
        at.issues.add(at.path, `has a member ${quote(name)} twice, but for letter case`);
      read[own] =
        soundValue(value[name], member) ??
        readMember(value[name], member, { path: memberPath(at, own), issues: at.issues });
    }
  }
  addExpected(read, shape, at);
  return read;
}

/** The member of a name; a name that is not known is noted. */
function memberOf(name: string, shape: DocumentShape, at: ReadPlace): ShapeMember | undefined {
  const spelled = shape.members.get(name);
  if (spelled !== undefined) return spelled;
  const lower = name.toLowerCase();
  const known = shape.members.get(lower);
  if (known !== undefined || shape.ignored.has(lower)) return known;
  const why = shape.tolerated.ignored.get(lower);
  const meant = shape.tolerated.spellings.get(lower);
  if (why !== undefined) at.issues.note(memberPath(at, name), why);
  else if (meant === undefined) at.issues.add(at.path, `has a member ${quote(name)} that is not known here`);
  else at.issues.note(memberPath(at, name), `is read as ${meant}: spell it so`);
  return meant === undefined ? undefined : shape.members.get(meant.toLowerCase());
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

/** A single value that is as it should be; undefined for all that has to be looked at, which alone needs a path. */
function soundValue(value: unknown, { attribute }: ShapeMember): unknown {
  if (attribute.multiValued) return undefined;
  if (attribute.type === "boolean") return typeof value === "boolean" ? value : undefined;
  if (attribute.type !== "string" || typeof value !== "string" || value.length > MAX_STRING_LENGTH)
    return undefined;
  const allowed = attribute.canonicalValues;
  return allowed.length === 0 || allowed.includes(value) ? value : undefined;
}

function readMember(value: unknown, member: ShapeMember, at: ReadPlace): unknown {
  if (!member.attribute.multiValued) return readValue(value, member, at);
  if (!Array.isArray(value)) return readSingle(value, member, at);
  if (value.length > member.maxValues) return refuse(at, `must hold at most ${member.maxValues} values`);
  // Array.from fills holes, which a list made by a program may have.
  return Array.from(value, (item: unknown, index) =>
    readValue(item, member, { path: `${at.path}[${index}]`, issues: at.issues }),
  );
}

function readSingle(value: unknown, member: ShapeMember, at: ReadPlace): unknown {
  if (!member.tolerated.single.has(member.attribute.name) || typeof value !== "string")
    return refuse(at, "must be a list");
  at.issues.note(at.path, "is read as a list of one value: make it a list");
  return [readValue(value, member, at)];
}

function readValue(value: unknown, member: ShapeMember, at: ReadPlace): unknown {
  const { attribute, shape } = member;
  if (shape !== null) return readObject(value, shape, at);
  switch (attribute.type) {
    case "boolean":
      return typeof value === "boolean" ? value : refuse(at, "must be true or false");
    case "integer":
      return Number.isSafeInteger(value) ? value : refuse(at, "must be a whole number");
    case "decimal":
      return Number.isFinite(value) ? value : refuse(at, "must be a number");
    default:
      return typeof value === "string" ? readString(value, member, at) : refuse(at, "must be a string");
  }
}

function readString(value: string, { attribute, tolerated }: ShapeMember, at: ReadPlace): unknown {
  if (value.length > MAX_STRING_LENGTH)
    return refuse(at, `must have at most ${MAX_STRING_LENGTH} characters`);
  const allowed = attribute.canonicalValues;
  if (allowed.length === 0) return value;
  const same = attribute.caseExact
    ? allowed.find((candidate) => candidate === value)
    : allowed.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
  if (same !== undefined) return same;
  const meant = tolerated.values.get(attribute.name)?.get(value.toLowerCase());
  if (meant !== undefined) at.issues.note(at.path, `${quote(value)} is read as ${meant}: write ${meant}`);
  return meant ?? refuse(at, `must be one of ${allowed.join(", ")}, not ${quote(value)}`);
}

function refuse(at: ReadPlace, message: string): undefined {
  at.issues.add(at.path, message);
  return undefined;
}
