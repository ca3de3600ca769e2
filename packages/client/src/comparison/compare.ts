/**
 * Whether what a service shows is what was sent, by the schemas: a service ignores what is readOnly, keeps what is
 * immutable, makes addresses of references, adds what was not sent, and does not show everything (RFC 7643 §2.2, §7).
 * @module
 */
import {
  isJsonArray,
  isJsonObject,
  isReferenceCollection,
  type Attribute,
  type JsonObject,
  type JsonValue,
} from "@scim/schemas";
import { assigned, memberNamed } from "../patch/json-equality.ts";
import { isAddress } from "../patch/kept-parts.ts";
import { best, worst, type Finding } from "./finding.ts";
import { pairValues, type Pairing } from "./pair-values.ts";
import { isText, plainKey } from "./plain-value.ts";
import { isHidden, partOf } from "./resource-attribute.ts";

/** What was sent to stand in some place. */
export interface Sent {
  /** Undefined where it was to be cleared. */
  readonly value: JsonValue | undefined;
  /**
   * What stood there before, so that it can be told from what was sent: empty for nothing, null where nobody knows. What
   * was left out must be gone where it stood there; what differs in letter case alone must differ in more from it.
   */
  readonly before: readonly JsonValue[] | null;
}

/**
 * What the value that was found tells of the one that was sent.
 * @param attribute undefined where no schema names it: then nothing but the same value tells
 */
export function compare(
  attribute: Attribute | undefined,
  found: JsonValue | undefined,
  { value, before }: Sent,
): Finding {
  const known = before?.flatMap((each) => assigned(each) ?? []) ?? null;
  return compareValue(attribute, assigned(found), { value: assigned(value), before: known });
}

/** Whether each value that was added to a list is there, among others. */
export function compareAddition(
  attribute: Attribute | undefined,
  found: JsonValue | undefined,
  value: JsonValue,
): Finding {
  if (attribute !== undefined && found === undefined && isHidden(attribute)) return "untold";
  const { keyOf, judge } = pairing(attribute, []);
  const byKey = Map.groupBy(valuesIn(assigned(found)), keyOf);
  return worst(
    valuesIn(assigned(value)).map((each) =>
      best((byKey.get(keyOf(each)) ?? []).map((other) => judge(other, each))),
    ),
  );
}

function compareValue(attribute: Attribute | undefined, found: JsonValue | undefined, sent: Sent): Finding {
  const { value } = sent;
  if (value === undefined) return compareCleared(attribute, found, sent.before);
  if (found === undefined && (attribute === undefined || isHidden(attribute))) return "untold";
  if (attribute?.multiValued ?? isJsonArray(value)) return compareList(attribute, found, sent);
  if (isJsonObject(value)) {
    if (found !== undefined && !isJsonObject(found)) return "other";
    return compareParts(attribute, found ?? {}, { value, before: sent.before });
  }
  return found !== undefined && isSamePlain(attribute, found, { ...sent, value }) ? "same" : "other";
}

function compareCleared(
  attribute: Attribute | undefined,
  found: JsonValue | undefined,
  before: Sent["before"],
): Finding {
  if (found !== undefined && !mayStay(attribute, found)) return "other";
  // What was to be seen is gone, and the rest with it.
  if (before !== null && before.length > 0) return "same";
  return attribute !== undefined && hidesSomething(attribute) ? "untold" : "same";
}

function hidesSomething(attribute: Attribute): boolean {
  return isHidden(attribute) || attribute.subAttributes.some(hidesSomething);
}

/** Whether what was left out may stand there all the same, since clients cannot clear it, or do not know it. */
function mayStay(attribute: Attribute | undefined, found: JsonValue): boolean {
  if (attribute === undefined || attribute.mutability === "readOnly" || attribute.mutability === "immutable")
    return true;
  if (attribute.multiValued || !isJsonObject(found)) return false;
  return Object.entries(found).every(
    ([name, value]) => isAddress(attribute, name) || mayStay(partOf(attribute, name), value),
  );
}

/** Whether a service works a part of a complex value out, whatever was sent: what is readOnly, and addresses of references. */
export function isWorkedOut(attribute: Attribute | undefined, value: JsonObject, name: string): boolean {
  if (partOf(attribute, name)?.mutability === "readOnly") return true;
  return attribute !== undefined && isAddress(attribute, name) && memberNamed(value, "value") !== undefined;
}

interface SentParts {
  readonly value: JsonObject;
  readonly before: Sent["before"];
}

function compareParts(
  attribute: Attribute | undefined,
  found: JsonObject,
  { value, before }: SentParts,
): Finding {
  const findings = Object.entries(value).map(([name, each]): Finding => {
    if (isWorkedOut(attribute, value, name)) return "same";
    const stood = before?.flatMap((old) => (isJsonObject(old) ? (memberNamed(old, name) ?? []) : [])) ?? null;
    return compareValue(partOf(attribute, name), memberNamed(found, name), { value: each, before: stood });
  });
  const isLeftAlone = Object.entries(found).every(([name, each]) => {
    if (memberNamed(value, name) !== undefined) return true;
    if (attribute !== undefined && isAddress(attribute, name)) return true;
    const isAdded =
      before !== null && !before.some((old) => isJsonObject(old) && memberNamed(old, name) !== undefined);
    return isAdded || mayStay(partOf(attribute, name), each);
  });
  return worst([...findings, isLeftAlone ? "same" : "other"]);
}

function compareList(
  attribute: Attribute | undefined,
  found: JsonValue | undefined,
  { value, before }: Sent,
): Finding {
  const stood = before?.flatMap(valuesIn) ?? null;
  const sent = valuesIn(value);
  const pairs = pairValues(valuesIn(found), sent, pairing(attribute, stood));
  if (pairs === null) return "other";
  if (pairs.inOrder || (attribute !== undefined && isReferenceCollection(attribute))) return pairs.finding;
  // Services may keep no order; what was sent may be nothing but one.
  const isOrderAlone = stood === null || pairValues(stood, sent, pairing(attribute, null)) !== null;
  return isOrderAlone ? "untold" : pairs.finding;
}

/** How values of a list are compared: by `value`, where they have one, and all that was sent beside it. */
function pairing(attribute: Attribute | undefined, stood: readonly JsonValue[] | null): Pairing {
  const one = attribute === undefined ? undefined : { ...attribute, multiValued: false };
  const keyOf = (value: JsonValue): string => {
    if (!isJsonObject(value)) return plainKey(one, value);
    const id = memberNamed(value, "value");
    return id === undefined || isJsonObject(id) ? "" : plainKey(partOf(one, "value"), id);
  };
  const before = stood === null ? null : Map.groupBy(stood, keyOf);
  return {
    keyOf,
    judge: (found, value) =>
      compareValue(one, found, { value, before: before === null ? null : (before.get(keyOf(value)) ?? []) }),
  };
}

/** The values of a list; one value stands for a list of it. A `primary` of false says nothing (RFC 7643 §2.4). */
function valuesIn(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return (isJsonArray(value) ? value : [value]).map((each: JsonValue) => {
    if (!isJsonObject(each) || each["primary"] !== false) return each;
    const { primary: _primary, ...others } = each;
    return others;
  });
}

interface SentPlain {
  readonly value: JsonValue;
  readonly before: Sent["before"];
}

function isSamePlain(
  attribute: Attribute | undefined,
  found: JsonValue,
  { value, before }: SentPlain,
): boolean {
  if (found === value) return true;
  if (attribute === undefined || isJsonObject(found) || isJsonArray(found)) return false;
  const key = plainKey(attribute, value);
  if (plainKey(attribute, found) !== key) return false;
  if (!isText(attribute)) return true;
  return !attribute.caseExact && before !== null && !before.some((each) => plainKey(attribute, each) === key);
}
