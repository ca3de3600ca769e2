/**
 * What the records of the sources ask for: resources by type and key, and what is wrong with records.
 * @module
 */
import { createHash } from "node:crypto";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { evaluate, evaluateRule, type ValueRule } from "../expression/evaluate.ts";
import { listOf, textOf } from "../expression/functions.ts";
import { fitted, isSame, type BoundReference, type BoundRule, type BoundSection } from "../mapping/bind.ts";
import type { TextForm } from "../spill/spilled-map.ts";
import { assign, assignIfThere, comparable, withoutOther } from "./assign.ts";

/** A resource as its record asks for it. */
export interface Desired {
  readonly section: BoundSection;
  readonly key: string;
  /** What it is found by where the sync has not met it before. */
  readonly match: string;
  /** Values by the places of `set`; null for nothing. */
  readonly values: readonly (JsonValue | null)[];
  /** The same for `initial`. */
  readonly initial: readonly (JsonValue | null)[];
  /** Keys that each list of references holds, sorted, each once. */
  readonly references: readonly (readonly string[])[];
  /** Where the record stands: `people.csv line 12`. */
  readonly place: string;
}

/** A record that cannot be synchronized. */
export interface RecordFault {
  readonly type: string;
  /** Null where the record does not tell its key. */
  readonly key: string | null;
  readonly place: string;
  readonly message: string;
}

/**
 * The key of a record; null where the record is not one of the section.
 * @throws TypeError where it has none
 */
export function keyOf({ where, key }: BoundSection, fields: JsonObject): string | null {
  if (where !== null) {
    const held = evaluate(where, fields);
    if (held === undefined || held === false || held === "false") return null;
  }
  const value = evaluate(key, fields);
  if (value === undefined) throw new TypeError("The record has no key: the field of 'key' is empty.");
  return textOf(one(value));
}

/**
 * What a record asks for.
 * @throws TypeError saying what is wrong with the record
 */
export function desiredOf(
  section: BoundSection,
  { key, fields, place }: { readonly key: string; readonly fields: JsonObject; readonly place: string },
): Desired {
  const values = section.set.map((rule) => valueOf(rule, fields));
  const match = matchValueOf({ section, values });
  if (match === null)
    throw new TypeError(
      `The record has nothing for '${section.match.text}', by which its resource is found.`,
    );
  return {
    section,
    key,
    match: comparable(match, section.match),
    values,
    initial: section.initial.map((rule) => valueOf(rule, fields)),
    references: section.references.map((reference) => keysOf(reference, fields)),
    place,
  };
}

/** The value of `match`, which `set` sets under whatever spelling; null for nothing. */
export function matchValueOf({ section, values }: Pick<Desired, "section" | "values">): JsonValue | null {
  return values[section.set.findIndex(({ target }) => isSame(target, section.match))] ?? null;
}

function valueOf({ target, rule }: BoundRule, fields: JsonObject): JsonValue | null {
  const { attribute, sub } = target;
  const written = sub ?? attribute;
  const isList = sub === null && attribute.multiValued;
  // Of an object, what the mapping does not name belongs to others, also where the record has nothing for what it names.
  const nothing = rule.kind === "object" && !isList ? {} : null;
  const value = evaluateRule(rule, fields) ?? nothing;
  if (value === null) return null;
  const fit = (each: JsonValue): JsonValue => fitted(each, written);
  try {
    if (isList) return listOf(value).map(fit);
    return fit(withNothings(one(value), rule));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new TypeError(`${target.text}: ${cause.message}`, { cause });
  }
}

/** An object with null for each member that the mapping states and the record has nothing for: it is cleared. */
function withNothings(value: JsonValue, rule: ValueRule): JsonValue {
  if (rule.kind !== "object" || !isJsonObject(value)) return value;
  return { ...Object.fromEntries(rule.members.map(([name]) => [name, null])), ...value };
}

/** A list of one value is that value. */
function one(value: JsonValue): JsonValue {
  return isJsonArray(value) && value.length === 1 && value[0] !== undefined ? value[0] : value;
}

function keysOf({ target, keys }: BoundReference, fields: JsonObject): readonly string[] {
  const found = [...new Set(listOf(evaluateRule(keys, fields)).map(textOf))].toSorted();
  if (found.length > 1 && !target.attribute.multiValued)
    throw new TypeError(`'${target.text}' refers to one resource, and the record names ${found.length}.`);
  return found;
}

/** What was asked for as text: two records that ask for the same have the same. */
export function appliedText({ section, values }: Pick<Desired, "section" | "values">): string {
  return JSON.stringify([[section.identity, section.index], ...values]);
}

/**
 * What {@link appliedText} tells: the section of the mapping, and the values of its `set`. Where the mapping was changed since,
 * a section is known wherever it stands now; one whose records are others now, by its place.
 */
export function readApplied(
  text: string,
  sections: readonly BoundSection[],
): { readonly section: BoundSection; readonly values: readonly (JsonValue | null)[] } | null {
  // Written by `appliedText`.
  const [place, ...values] = JSON.parse(text) as readonly JsonValue[];
  // Earlier releases knew sections by their place alone.
  const [identity, index] = place !== undefined && isJsonArray(place) ? place : [null, place];
  const section =
    sections.find((each) => each.identity === identity) ?? sections.find((each) => each.index === index);
  return section === undefined ? null : { section, values };
}

/** Whether what {@link appliedText} tells is of one of these sections, with the keys that it had. */
export function isOfSection(text: string, sections: readonly BoundSection[]): boolean {
  // Written by `appliedText`.
  const [place] = JSON.parse(text) as readonly JsonValue[];
  const identity = place !== undefined && isJsonArray(place) ? place[0] : null;
  return sections.some((each) => each.identity === identity);
}

/** How what records ask for stands as text. */
export function desiredForm(sections: readonly BoundSection[]): TextForm<Desired> {
  return {
    write: ({ section, ...asked }) => JSON.stringify({ section: section.index, ...asked }),
    read: (text) => {
      // Written by `write`.
      const { section: index, ...asked } = JSON.parse(text) as Omit<Desired, "section"> & {
        readonly section: number;
      };
      const section = sections.find((each) => each.index === index);
      if (section === undefined) throw new RangeError(`There is no section ${index}.`);
      return { section, ...asked };
    },
  };
}

/** A short text that tells a set of texts from others; empty for none. */
export function digestOf(texts: Iterable<string>): string {
  const sorted = [...texts].toSorted();
  if (sorted.length === 0) return "";
  return createHash("sha256").update(JSON.stringify(sorted)).digest("base64url").slice(0, 22);
}

/** What tells the keys of all lists of references from others, and in which list they are. */
export function keysDigestOf({ references }: Pick<Desired, "references">): string {
  return digestOf(references.flatMap((keys, at) => keys.map((key) => `${at} ${key}`)));
}

/** The resource with what is owned in it. */
export function withValues(
  resource: JsonObject,
  rules: readonly BoundRule[],
  values: readonly (JsonValue | null)[],
): JsonObject {
  let next = resource;
  // First of all: what the mapping says of the other resource is set behind it, whatever its order.
  for (const [at, { target }] of rules.entries()) next = withoutOther(next, target, values[at] ?? undefined);
  for (const isDependent of [false, true]) {
    for (const [at, rule] of rules.entries()) {
      if (rule.isDependent !== isDependent) continue;
      const put = isDependent ? assignIfThere : assign;
      next = put(next, rule.target, values[at] ?? undefined);
    }
  }
  return next;
}

/** The resource that is created for a record, without references. */
export function newResource({ section, values, initial }: Desired): JsonObject {
  return withValues(withValues({}, section.initial, initial), section.set, values);
}
