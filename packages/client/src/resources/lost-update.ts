/**
 * What became of an update that was not answered, as far as the resource tells.
 * @module
 */
import { isJsonObject, type Attribute, type JsonObject, type JsonValue } from "@scim/schemas";
import { compare } from "../comparison/compare.ts";
import { worst, type Finding } from "../comparison/finding.ts";
import { partOf, resourceAttribute } from "../comparison/resource-attribute.ts";
import { diffAttribute, objectNamed } from "../patch/diff.ts";
import { assigned, isEqual, memberNamed } from "../patch/json-equality.ts";
import { isAddress } from "../patch/kept-parts.ts";
import type { ClientResourceType } from "./resource-type.ts";

/** States of a resource, or of a complex value in it. */
interface States {
  /** What the change began with. */
  readonly before: JsonObject;
  /** What it was to become. */
  readonly next: JsonObject;
  /** What it is now. */
  readonly found: JsonObject;
}

/** An update that was not answered. */
export interface LostUpdate extends States {
  readonly by: "patch" | "replace";
}

/** `made`: all that was to change is as it was to be. `unmade`: it is as it was before. */
export type Outcome = "made" | "unmade" | "unknown";

/**
 * What became of an update. All of it was made, or nothing: so some of it that is as it was before, and none that is as
 * it was to be, tells that it was not.
 */
export function outcomeOf(
  type: Pick<ClientResourceType, "schema" | "extensions">,
  { by, ...states }: LostUpdate,
): Outcome {
  const whole = resourceAttribute(type);
  const declared = whole.subAttributes.flatMap((attribute) => changesOf(attribute, states));
  // The difference of a PATCH leaves out what no schema names.
  const changes = by === "patch" ? declared : [...declared, ...undeclaredChanges(whole, states)];
  const findings = changes.map(({ finding }) => finding);
  if (worst(findings) === "same") return "made";
  const others = changes.filter(({ finding }) => finding === "other");
  const isUnmade =
    others.length > 0 && !findings.includes("same") && others.every(({ isAsBefore }) => isAsBefore);
  return isUnmade ? "unmade" : "unknown";
}

/** What was to change. */
interface Change {
  readonly finding: Finding;
  readonly isAsBefore: boolean;
}

function changesOf(attribute: Attribute, states: States): readonly Change[] {
  const { name } = attribute;
  const { before, next, found } = states;
  if (!differ(attribute, before, next)) return [];
  const isComplex = [before, next].some((each) => isJsonObject(memberNamed(each, name)));
  const parts = isComplex && !attribute.multiValued ? partsOf(attribute, states) : [];
  if (parts.length > 0) return parts;
  const finding = compare(attribute, memberNamed(found, name), {
    value: memberNamed(next, name),
    before: oneOf(memberNamed(before, name)),
  });
  return [{ finding, isAsBefore: !differ(attribute, before, found) }];
}

/** Parts of a complex value change by themselves: a service may make one of the others, and somebody else may change it. */
function partsOf(attribute: Attribute, { before, next, found }: States): readonly Change[] {
  const { name, subAttributes } = attribute;
  const states = {
    before: objectNamed(before, name),
    next: objectNamed(next, name),
    found: objectNamed(found, name),
  };
  return subAttributes.flatMap((part) => (isAddress(attribute, part.name) ? [] : changesOf(part, states)));
}

function differ(attribute: Attribute, from: JsonObject, to: JsonObject): boolean {
  return diffAttribute(attribute, "", { from, to }).length > 0;
}

function undeclaredChanges(whole: Attribute, { before, next, found }: States): readonly Change[] {
  const names = new Set([...Object.keys(before), ...Object.keys(next)]);
  return [...names].flatMap((name) => {
    if (partOf(whole, name) !== undefined) return [];
    const [old, value, now] = [before, next, found].map((each) => assigned(memberNamed(each, name)));
    if (isEqual(old, value)) return [];
    return [
      { finding: compare(undefined, now, { value, before: oneOf(old) }), isAsBefore: isEqual(old, now) },
    ];
  });
}

function oneOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined ? [] : [value];
}
