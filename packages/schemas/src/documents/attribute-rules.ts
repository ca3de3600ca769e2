/**
 * What RFC 7643 asks of attribute definitions beyond the characteristics of the schema of schemas.
 * @module
 */
import type { Attribute } from "../attribute.ts";
import type { AttributeType } from "../characteristics.ts";
import { quote, type IssueList } from "./issue-list.ts";

/** An attribute definition that the schema of schemas has let pass. */
export interface ReadAttribute extends Partial<Omit<Attribute, "name" | "type" | "subAttributes">> {
  readonly name: string;
  readonly type: AttributeType;
  readonly subAttributes?: readonly ReadAttribute[];
}

/** ATTRNAME of RFC 7643 §2.1, and the one standard name that breaks it. */
const ATTRIBUTE_NAME = /^(?:[A-Za-z][A-Za-z0-9$_-]*|\$ref)$/;
const MAX_NAME_LENGTH = 128;
/** Greatest number of attributes and sub-attributes of a schema, all counted. */
const MAX_DEFINITIONS = 2000;
/** Data types whose values cannot be unique (RFC 7643 §2.3.2, §2.3.5, §2.3.6, §2.3.8). */
const NEVER_UNIQUE: ReadonlySet<AttributeType> = new Set(["complex", "boolean", "dateTime", "binary"]);

/** Checks names, nesting and what characteristics must not be combined, for the attributes of a schema and their parts. */
export function checkAttributes(attributes: readonly ReadAttribute[], issues: IssueList): void {
  const all = attributes.reduce((count, { subAttributes = [] }) => count + 1 + subAttributes.length, 0);
  if (all > MAX_DEFINITIONS) {
    issues.add(
      "attributes",
      `must hold at most ${MAX_DEFINITIONS} attributes and sub-attributes, not ${all}`,
    );
  }
  checkList(attributes, "attributes", issues);
}

function checkList(attributes: readonly ReadAttribute[], path: string, issues: IssueList): void {
  const seen = new Map<string, number>();
  for (const [index, attribute] of attributes.entries()) {
    if (issues.full) return;
    // A place is put into words where it is told: of hundreds of sound documents, none is.
    const place = (): string => `${path}[${index}]`;
    checkName(attribute.name, place, issues);
    const lower = attribute.name.toLowerCase();
    const first = seen.get(lower);
    if (first === undefined) seen.set(lower, index);
    else
      issues.add(
        `${place()}.name`,
        `${quote(attribute.name)} is taken by ${path}[${first}]; letter case does not tell names apart`,
      );
    for (const { member, broken, message } of isPlain(attribute) ? [] : COMBINATION_RULES) {
      if (broken(attribute)) issues.add(`${place()}.${member}`, message(attribute));
    }
    const { subAttributes = [] } = attribute;
    if (subAttributes.length > 0) checkList(subAttributes, `${place()}.subAttributes`, issues);
  }
}

function checkName(name: string, place: () => string, issues: IssueList): void {
  if (name.length > MAX_NAME_LENGTH)
    issues.add(`${place()}.name`, `must have at most ${MAX_NAME_LENGTH} characters`);
  else if (!ATTRIBUTE_NAME.test(name)) {
    issues.add(
      `${place()}.name`,
      `must be a letter followed by letters, digits, "$", "-" or "_", not ${quote(name)}`,
    );
  }
}

/** Whether an attribute has nothing that a combination is ruled out with: of hundreds of documents, most have not. */
function isPlain(attribute: ReadAttribute): boolean {
  const { type, mutability, uniqueness, subAttributes, referenceTypes } = attribute;
  return (
    type !== "complex" &&
    subAttributes === undefined &&
    referenceTypes === undefined &&
    uniqueness === undefined &&
    mutability !== "writeOnly"
  );
}

/** A combination of characteristics that RFC 7643 rules out. */
interface CombinationRule {
  readonly member: keyof ReadAttribute;
  readonly broken: (attribute: ReadAttribute) => boolean;
  readonly message: (attribute: ReadAttribute) => string;
}

const COMBINATION_RULES: readonly CombinationRule[] = [
  {
    member: "subAttributes",
    broken: ({ type, subAttributes }) => type === "complex" && isEmpty(subAttributes),
    message: () => "must name at least one sub-attribute of the complex attribute",
  },
  {
    member: "subAttributes",
    broken: ({ type, subAttributes }) => type !== "complex" && !isEmpty(subAttributes),
    message: ({ type }) => `belongs to attributes of type complex, not ${type}`,
  },
  {
    member: "referenceTypes",
    broken: ({ type, referenceTypes }) => type !== "reference" && !isEmpty(referenceTypes),
    message: ({ type }) => `belongs to attributes of type reference, not ${type}`,
  },
  {
    member: "uniqueness",
    broken: ({ type, uniqueness = "none" }) => uniqueness !== "none" && NEVER_UNIQUE.has(type),
    message: ({ type }) => `must be none or left out: values of type ${type} are not unique`,
  },
  {
    member: "returned",
    broken: ({ mutability, returned = "never" }) => mutability === "writeOnly" && returned !== "never",
    message: () => "must be never or left out: a writeOnly value is in no answer",
  },
];

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return list === undefined || list.length === 0;
}
