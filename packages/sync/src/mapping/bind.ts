/**
 * Binds a mapping to what the target says of its schemas, so that what cannot work is told before anything is sent.
 * @module
 */
import type { ClientResourceType } from "@scim/client";
import {
  isJsonArray,
  isJsonObject,
  referencedTypes,
  type Attribute,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import type { ValueRule } from "../expression/evaluate.ts";
import { isNothing } from "../expression/functions.ts";
import type { LeaverAction, Mapping, Place, StatedSection } from "./document.ts";
import { MappingError, type MappingFault } from "./mapping-error.ts";
import { isNeverReturned } from "./never-returned.ts";
import { targetPath, type TargetPath } from "./target-path.ts";

/** A rule with the place that it sets. */
export interface BoundRule {
  readonly target: TargetPath;
  readonly rule: ValueRule;
  /** Whether it says more of a value of a list that another rule makes, and makes none itself. */
  readonly isDependent: boolean;
}

/** References with the attribute that holds them. */
export interface BoundReference {
  readonly target: TargetPath;
  /** Name of the type that is referred to, as the target spells it. */
  readonly to: string;
  readonly keys: ValueRule;
}

/** A section of a mapping, bound to a resource type of the target. */
export interface BoundSection extends Pick<StatedSection, "identity" | "from" | "where" | "key"> {
  /** Its place in the mapping, from 0. */
  readonly index: number;
  readonly type: ClientResourceType;
  readonly match: TargetPath;
  readonly set: readonly BoundRule[];
  readonly initial: readonly BoundRule[];
  readonly references: readonly BoundReference[];
  readonly leavers: LeaverAction;
}

/**
 * Binds the sections of a mapping.
 * @throws {@link MappingError} with every fault and its line
 */
export function bindMapping(mapping: Mapping, types: readonly ClientResourceType[]): readonly BoundSection[] {
  const faults: MappingFault[] = [];
  const sections = mapping.sections.flatMap((section, index) =>
    bindSection(section, { mapping, types, faults, index }),
  );
  if (faults.length > 0) throw new MappingError(mapping.file, faults);
  return sections;
}

interface Binding {
  readonly mapping: Mapping;
  readonly types: readonly ClientResourceType[];
  readonly faults: MappingFault[];
  readonly index: number;
}

function bindSection(section: StatedSection, binding: Binding): readonly BoundSection[] {
  const { types, faults, mapping, index } = binding;
  const type = typeNamed(section.type, types);
  if (type === undefined) {
    const known = types.map(({ name }) => name).join(", ");
    faults.push({
      ...section.place,
      message: `The target has no resource type '${section.type}'; it has ${known}.`,
    });
    return [];
  }
  const attempt = <Result>(place: Place, make: () => Result): readonly Result[] => {
    try {
      return [make()];
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause;
      faults.push({ ...place, message: cause.message });
      return [];
    }
  };
  const rules = (stated: StatedSection["set"], bound: typeof boundRule): readonly BoundRule[] =>
    stated.flatMap(({ target, rule, place }) => attempt(place, () => bound(targetPath(type, target), rule)));
  const set = rules(section.set, ownedRule);
  const references = section.references.flatMap(({ target, to, keys, place }) =>
    attempt(place, () => boundReference(targetPath(type, target), { to, keys, mapping, types })),
  );
  const match = attempt(section.matchPlace, () => matchOf(targetPath(type, section.match), set));
  for (const [at, rule] of set.entries())
    if (set.slice(0, at).some((other) => overlaps(other.target, rule.target)))
      attempt(section.place, () => {
        throw new TypeError(`'${rule.target.text}' sets what another path of 'set' sets as well.`);
      });
  if (section.leavers === "deactivate")
    attempt(section.place, () => {
      targetPath(type, "active");
    });
  const [found] = match;
  if (found === undefined) return [];
  const { identity, from, where, key, leavers } = section;
  const initial = rules(section.initial, boundRule);
  return [{ identity, index, type, from, where, key, match: found, set, initial, references, leavers }];
}

/** The type of a name, in any letter case. */
function typeNamed(name: string, types: readonly ClientResourceType[]): ClientResourceType | undefined {
  return types.find((type) => type.name.toLowerCase() === name.toLowerCase());
}

/** What is never returned cannot be compared: it would be sent again and again, and kept in the state to know it by. */
function ownedRule(target: TargetPath, rule: ValueRule): BoundRule {
  if (isNeverReturned(target, rule))
    throw new TypeError(
      `The target never returns '${target.text}', so that nothing tells whether it is what the record says: give it to new resources, below 'initial'.`,
    );
  return boundRule(target, rule);
}

function boundRule(target: TargetPath, rule: ValueRule): BoundRule {
  const written = target.sub ?? target.attribute;
  if (written.type === "complex" && rule.kind !== "object" && rule.kind !== "list")
    throw new TypeError(
      `'${target.text}' holds several values: ${written.multiValued ? whichValue(target) : `name a sub-attribute, such as '${target.text}.${written.subAttributes[0]?.name ?? "value"}', or write an object`}.`,
    );
  if (written.type !== "complex" && rule.kind === "object")
    throw new TypeError(`'${target.text}' is no object, but a ${written.type}.`);
  if (target.key === null && target.sub !== null && target.attribute.multiValued)
    throw new TypeError(`'${target.text}' does not say which value: ${whichValue(target)}.`);
  checkMembers(written, rule);
  if (rule.kind === "constant") fitted(rule.value, written);
  return { target, rule, isDependent: target.key !== null && rule.kind === "constant" };
}

function whichValue({ extension, attribute, sub }: TargetPath): string {
  const path = `${extension === null ? "" : `${extension}:`}${attribute.name}`;
  return `write '${path}[type eq "work"].${sub?.name ?? "value"}', or '${path}' with a list of objects`;
}

function checkMembers(attribute: Attribute, rule: ValueRule): void {
  if (rule.kind === "list") {
    if (!attribute.multiValued) throw new TypeError(`'${attribute.name}' takes one value, not a list.`);
    for (const item of rule.items) checkMembers(attribute, item);
  }
  if (rule.kind !== "object") return;
  for (const [name, member] of rule.members) {
    const found = attribute.subAttributes.find((sub) => sub.name === name);
    if (found === undefined)
      throw new TypeError(
        `'${attribute.name}' has no sub-attribute '${name}'; it has ${attribute.subAttributes.map((sub) => sub.name).join(", ")}.`,
      );
    if (member.kind === "constant") fitted(member.value, found);
  }
}

function boundReference(
  target: TargetPath,
  {
    to,
    keys,
    mapping,
    types,
  }: Pick<Binding, "mapping" | "types"> & { readonly to: string; readonly keys: ValueRule },
): BoundReference {
  if (target.sub !== null || referencedTypes(target.attribute).length === 0)
    throw new TypeError(
      `'${target.text}' refers to nothing: name an attribute such as 'members' of a Group or 'manager' of a User.`,
    );
  if (!mapping.sections.some(({ type }) => type.toLowerCase() === to.toLowerCase()))
    throw new TypeError(
      `'to' names '${to}', which this mapping has no section for: references go by its keys.`,
    );
  return { target, to: typeNamed(to, types)?.name ?? to, keys };
}

/** The attribute of `match` must be set, or a new resource would not be found again. */
function matchOf(match: TargetPath, set: readonly BoundRule[]): TargetPath {
  if ((match.sub ?? match.attribute).type === "complex" || match.attribute.multiValued)
    throw new TypeError(`'match' names an attribute with one value, such as externalId or userName.`);
  if (!set.some(({ target }) => isSame(target, match)))
    throw new TypeError(
      `'match' names '${match.text}', which 'set' does not set: set it, or match by another.`,
    );
  return match;
}

/** Whether two paths name the same place. */
export function isSame(left: TargetPath, right: TargetPath): boolean {
  return (
    left.extension === right.extension &&
    left.attribute.name === right.attribute.name &&
    left.sub?.name === right.sub?.name &&
    JSON.stringify([...(left.key ?? [])]) === JSON.stringify([...(right.key ?? [])])
  );
}

function overlaps(left: TargetPath, right: TargetPath): boolean {
  if (left.extension !== right.extension || left.attribute.name !== right.attribute.name) return false;
  return left.sub === null || right.sub === null || isSame(left, right);
}

/**
 * A value as an attribute takes it: sources hold texts where attributes are numbers or booleans.
 * @throws TypeError saying what is wrong, for people
 */
export function fitted(value: JsonValue, attribute: Attribute): JsonValue {
  switch (attribute.type) {
    case "boolean":
      return fittedBoolean(value, attribute);
    case "integer":
    case "decimal":
      return fittedNumber(value, attribute);
    case "complex":
      return isJsonObject(value) ? fittedObject(value, attribute) : value;
    default:
      return fittedText(value, attribute);
  }
}

/** What the schema does not name, and what is nothing, is left to the target. */
function fittedObject(value: JsonObject, { subAttributes }: Attribute): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, held]): [string, JsonValue] => {
      const sub = subAttributes.find((each) => each.name.toLowerCase() === name.toLowerCase());
      if (sub === undefined || isNothing(held)) return [name, held];
      return [
        name,
        isJsonArray(held) && sub.multiValued ? held.map((each) => fitted(each, sub)) : fitted(held, sub),
      ];
    }),
  );
}

function fittedBoolean(value: JsonValue, { name }: Attribute): boolean {
  const word = typeof value === "string" ? value.toLowerCase() : value;
  if (word === true || word === "true") return true;
  if (word === false || word === "false") return false;
  throw new TypeError(`'${name}' is true or false: convert the field, such as '| boolean('active')'.`);
}

function fittedNumber(value: JsonValue, { name, type }: Attribute): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const isOne = type === "decimal" ? Number.isFinite : Number.isSafeInteger;
  if (typeof number === "number" && isOne(number)) return number;
  throw new TypeError(`'${name}' is a number: convert the field, such as '| replace('[^0-9]', '')'.`);
}

function fittedText(value: JsonValue, { name }: Attribute): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TypeError(`'${name}' is a text: name one field, or take the first of a list by '| first'.`);
}
