/**
 * A request of the log as a file: what must be there before, what was sent, what was answered. It holds no values of
 * persons, and needs nothing but itself to be sent again.
 * @module
 */
import type { OwnRules, SwitchName } from "@scim/core";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";

/** A resource that is there before the request. */
export interface GivenResource {
  /** Placeholders name it: `${r1.id}` is its id. */
  readonly name: string;
  readonly endpoint: string;
  /** What is sent to create it. */
  readonly resource: JsonObject;
}

/** A request that can be sent again. Texts may hold the placeholders of given resources. */
export interface RequestCase {
  /** Form of the file: 1. */
  readonly version: 1;
  /** Id of the entry that it was made of. */
  readonly id: string;
  /** The profile of the connection, and every switch that was on. */
  readonly profile: { readonly name: string; readonly switches: readonly SwitchName[] };
  /** The limits of the tenant that bound requests and answers. Default: those of a new service. */
  readonly limits?: NonNullable<OwnRules["limits"]>;
  /** Schema and ResourceType documents beside the built-in ones. */
  readonly documents: readonly JsonValue[];
  readonly given: readonly GivenResource[];
  readonly request: {
    readonly method: string;
    /** Path and query below the base address, percent-encoded. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: JsonValue | null;
  };
  readonly expect: CaseAnswer;
}

/** An answer as cases are compared: without what differs from one service to the next. */
export interface CaseAnswer {
  readonly status: number;
  /** Undefined where it was not kept; null for none. */
  readonly body?: JsonValue | null;
}

/** What differs with each service, or follows from resources that a case does not hold. */
const INCOMPARABLE: ReadonlySet<string> = new Set([
  "id",
  "meta",
  "$ref",
  "location",
  "version",
  "expectedVersion",
  "currentVersion",
  "groups",
  "detail",
  "nextCursor",
  "previousCursor",
]);

/** An answer without what differs from one service to the next. */
export function comparable(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !INCOMPARABLE.has(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, comparable(each)]));
}

/** Where an answer differs. */
export interface CaseDifference {
  /** Such as `status` or `body.emails.0.type`. */
  readonly path: string;
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
}

/** Compares an answer with what a case expects; none where they are alike. */
export function compareAnswer(expected: CaseAnswer, actual: CaseAnswer): readonly CaseDifference[] {
  const status =
    expected.status === actual.status
      ? []
      : [{ path: "status", expected: expected.status, actual: actual.status }];
  if (expected.body === undefined) return status;
  return [...status, ...differences("body", comparable(expected.body), comparable(actual.body ?? null))];
}

/** Stands for what differs from one service to the next. */
const DIFFERENT = "…";

/**
 * Compares what two services, which are new both, answer to one case; none where that is alike. Of what differs from one service to
 * the next, it counts whether it is there.
 */
export function compareServices(first: CaseAnswer, second: CaseAnswer): readonly CaseDifference[] {
  return [
    ...differences("status", first.status, second.status),
    ...differences("body", outline(first.body ?? null), outline(second.body ?? null)),
  ];
}

function outline(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(outline);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, each]) => [name, INCOMPARABLE.has(name) ? DIFFERENT : outline(each)]),
  );
}

function differences(
  path: string,
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
): readonly CaseDifference[] {
  if (isJsonArray(expected) && isJsonArray(actual)) {
    const places = Array.from({ length: Math.max(expected.length, actual.length) }, (_, at) => at);
    return places.flatMap((at) => differences(`${path}.${at}`, expected[at], actual[at]));
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].flatMap((name) =>
      differences(`${path}.${name}`, ownMember(expected, name), ownMember(actual, name)),
    );
  }
  return expected === actual ? [] : [{ path, expected, actual }];
}

function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** How cases of a log call what they give. */
const GIVEN = /^r\d+$/;

/**
 * A JSON value with the placeholders of its texts filled in. What looks like one, and is none of a case, is what a client sent: a
 * template that it did not fill in.
 * @throws TypeError for a placeholder that nothing stands for
 */
export function fillPlaceholders<Value extends JsonValue>(
  value: Value,
  ids: ReadonlyMap<string, string>,
): Value {
  const text = JSON.stringify(value).replaceAll(/\$\{(\w+)\.id\}/g, (whole, name: string) => {
    const id = ids.get(name);
    if (id === undefined && GIVEN.test(name)) throw new TypeError(`The case gives no resource for ${whole}.`);
    return id === undefined ? whole : JSON.stringify(id).slice(1, -1);
  });
  // Placeholders stand in texts alone: the shape stays.
  return JSON.parse(text) as Value;
}
