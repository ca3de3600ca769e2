/**
 * How the attributes of a resource changed, as the log shows it: as canonical JSON at once, since every change of the
 * service passes here.
 * @module
 */
import type { AttributeNode, FeedEvent } from "@scim/core";
import { canonicalJson } from "@scim/core/changes";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { isSameJson } from "./same-json.ts";
import { type AuditedAttributes, isUniform, sensitivityOf } from "./sensitivity.ts";
import type { HashValue } from "./subject-keys.ts";
import { wholeResourceChanges } from "./whole-resource.ts";

/** What an event says of the attributes of a resource. Where no kind is said, each value is told by itself. */
export type ChangedState = Pick<FeedEvent, "before" | "after" | "changed" | "collections"> &
  Partial<Pick<FeedEvent, "kind">> & {
    /**
     * JSON of the state after a creation, or before a deletion, as the event has it. Where it is left out it is made of that
     * state once more.
     */
    readonly stateText?: string | undefined;
  };

interface Telling {
  /** Null: every value is shown. */
  readonly hash: HashValue | null;
  /** Canonical JSON of each change. */
  readonly changes: string[];
}

/**
 * The changes of an event as a canonical JSON array of `AuditChange`: for each simple or multi-valued attribute that
 * differs what it was and is, then the paths that changed and that no JSON tells, such as those of secrets.
 * Collections are told apart. Of a resource that comes or goes as a whole the personal values have one hash together,
 * under the path `*`, and the path of each stands alone.
 * @param attributes those of the resource type; null where it is not served any more
 * @param hash null for an event that holds nothing of persons and no secret: its values are shown
 */
export function changesText(
  event: ChangedState,
  attributes: AuditedAttributes | null,
  hash: HashValue | null,
): string {
  const changes = valueChanges(event, attributes ?? NO_NODES, hash);
  for (const path of event.changed) {
    const isTold = isIn(event, path) || event.collections.some((change) => change.path === path);
    if (!isTold) changes.push(`{"path":${JSON.stringify(path)}}`);
  }
  return `[${changes.join(",")}]`;
}

function valueChanges(
  { kind, before, after, stateText: text }: ChangedState,
  attributes: AuditedAttributes,
  hash: HashValue | null,
): string[] {
  if (hash !== null && kind === "created" && before === null && after !== null) {
    return wholeResourceChanges({ side: "after", state: after, text, attributes, hash });
  }
  if (hash !== null && kind === "deleted" && before !== null && after === null) {
    return wholeResourceChanges({ side: "before", state: before, text, attributes, hash });
  }
  const telling: Telling = { hash, changes: [] };
  compareObjects(telling, attributes, { before, after });
  return telling.changes;
}

const NO_NODES: ReadonlyMap<string, AttributeNode> = new Map();

interface Sides<Value> {
  readonly before: Value;
  readonly after: Value;
}

function compareObjects(
  telling: Telling,
  nodes: ReadonlyMap<string, AttributeNode>,
  { before, after }: Sides<JsonObject | null>,
): void {
  for (const name of namesOf(before, after)) {
    const sides = { before: memberOf(before, name), after: memberOf(after, name) };
    compareValues(telling, { name, node: nodes.get(name.toLowerCase()) }, sides);
  }
}

/** The names of the members of both, each once. */
function namesOf(before: JsonObject | null, after: JsonObject | null): Iterable<string> {
  if (before === null) return after === null ? [] : Object.keys(after);
  return after === null ? Object.keys(before) : new Set([...Object.keys(before), ...Object.keys(after)]);
}

interface Named {
  readonly name: string;
  readonly node: AttributeNode | undefined;
}

function compareValues(
  telling: Telling,
  { name, node }: Named,
  { before, after }: Sides<JsonValue | undefined>,
): void {
  if (isSameJson(before, after)) return;
  if (node !== undefined && isDivided(node, { before, after })) {
    compareObjects(telling, node.subAttributes, { before: objectOf(before), after: objectOf(after) });
    return;
  }
  const [was, is] = [jsonOf(before), jsonOf(after)];
  const place = { path: node?.path ?? name, node };
  const afterText = is === null ? "" : `"after":${shownText(telling, place, is)},`;
  const beforeText = was === null ? "" : `"before":${shownText(telling, place, was)},`;
  telling.changes.push(`{${afterText}${beforeText}"path":${JSON.stringify(place.path)}}`);
}

/**
 * A singular complex attribute, or an extension, is told part by part: where it was there before and is now, or where
 * more may be shown of some parts than of others. One that comes or goes as a whole is told as one.
 */
function isDivided(node: AttributeNode, { before, after }: Sides<JsonValue | undefined>): boolean {
  if (node.subAttributes.size === 0 || node.attribute.multiValued) return false;
  return (before !== undefined && after !== undefined) || !isUniform(node);
}

interface Place {
  readonly path: string;
  readonly node: AttributeNode | undefined;
}

/** Canonical JSON of an `AuditValue`. */
function shownText({ hash }: Telling, { path, node }: Place, json: string): string {
  if (hash === null) return `{"value":${json}}`;
  switch (sensitivityOf(node)) {
    case "none":
      return `{"value":${json}}`;
    case "personal":
      return `{"hash":"${hash(path, json, node)}"}`;
    case "secret":
      return '{"withheld":true}';
  }
}

function memberOf(object: JsonObject | null, name: string): JsonValue | undefined {
  return object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return value !== undefined && isJsonObject(value) ? value : null;
}

function jsonOf(value: JsonValue | undefined): string | null {
  if (value === undefined) return null;
  return typeof value === "object" ? canonicalJson(value) : JSON.stringify(value);
}

/** Whether the JSON before or after has a member of this name. */
function isIn({ before, after }: ChangedState, path: string): boolean {
  return memberOf(before, path) !== undefined || memberOf(after, path) !== undefined;
}
