/**
 * Index and unique entries of a resource, and how they differ between two states of it.
 * @module
 */
import { comparisonKey, type ComparisonKey } from "@scim/filter";
import { isJsonObject, isJsonArray, type JsonObject, type JsonValue } from "@scim/schemas";
import { own } from "../attributes/json-object.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { isSingular } from "../model/indexable.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { ALL_CONSTRAINTS } from "../profiles/profile.ts";
import type { ConstraintSwitch } from "../profiles/switch.ts";
import type { ConnectionRule } from "../store/connection-rules.ts";
import type { EntryDelta, IndexEntry, UniqueEntry } from "../store/write-plan.ts";

/** The entries of one state of a resource. */
export interface ResourceEntries {
  readonly index: readonly IndexEntry[];
  readonly unique: readonly UniqueEntry[];
  /** Of the rules that the profile does not have: who created the resource may. */
  readonly whereHeld: readonly UniqueEntry[];
}

/** What the uniqueness rules of a profile need to know. */
export interface ConstraintScope {
  readonly constraints: readonly ConstraintSwitch[];
  /** The connection that created the resource. */
  readonly connection: string;
  /** The attributes to index. Default: those of the schema. */
  readonly indexed?: readonly AttributeNode[];
  /** The whole body that the rules look at, where entries are asked of a part of it. */
  readonly whole?: JsonObject;
}

/** The entries of a resource's body, or of some members of it. */
export function entriesOf(model: ResourceModel, body: JsonObject, scope: ConstraintScope): ResourceEntries {
  const unique: UniqueEntry[] = [];
  for (const node of model.indexed) {
    const { uniqueness } = node.attribute;
    if (uniqueness === "none") continue;
    const over = uniqueness === "global" ? "global" : `type:${model.name}`;
    for (const key of distinctKeysOf(node, body)) unique.push({ path: node.path, scope: over, key });
  }
  const whereHeld: UniqueEntry[] = [];
  for (const constraint of ALL_CONSTRAINTS) {
    if (constraint.type !== model.name) continue;
    const entry = ruledEntry(model, constraint, { connection: scope.connection, body: scope.whole ?? body });
    if (entry !== null) (scope.constraints.includes(constraint) ? unique : whereHeld).push(entry);
  }
  return { index: indexEntriesOf(scope.indexed ?? model.indexed, body), unique, whereHeld };
}

/** A resource as a rule looks at it. */
export interface RuledResource {
  /** The connection that created it. */
  readonly connection: string;
  readonly body: JsonObject;
}

/** What a rule has a resource hold; null where it has no value. */
export function ruledEntry(
  model: ResourceModel,
  { type, attribute }: ConstraintSwitch,
  { connection, body }: RuledResource,
): UniqueEntry | null {
  const key = firstKey(model, body, attribute);
  return key === null ? null : { path: attribute, scope: ruleScope(type, connection), key };
}

function ruleScope(type: string, connection: string): string {
  return `connection:${connection}:${type}`;
}

/** The rule that a connection's switch is. */
export function connectionRule(
  { type, attribute }: ConstraintSwitch,
  { tenant, connection }: Pick<ConnectionRule, "tenant" | "connection">,
): ConnectionRule {
  return { tenant, connection, type, path: attribute, scope: ruleScope(type, connection) };
}

/** The index entries of a resource's body for some attributes. */
export function indexEntriesOf(nodes: readonly AttributeNode[], body: JsonObject): readonly IndexEntry[] {
  const entries: IndexEntry[] = [];
  for (const node of nodes) {
    const { path } = node;
    const keys = distinctKeysOf(node, body);
    for (const key of keys) entries.push({ path, key });
    if (keys.length === 0 && isSingular(node)) entries.push({ path, key: null });
  }
  return entries;
}

function firstKey(model: ResourceModel, body: JsonObject, name: string): ComparisonKey | null {
  const node = model.members.get(name.toLowerCase());
  return node === undefined ? null : (keysOf(node, body)[0] ?? null);
}

/** Most attributes have one value: a set of it would cost more than all the rest. */
function distinctKeysOf(node: AttributeNode, body: JsonObject): readonly ComparisonKey[] {
  const keys = keysOf(node, body);
  return keys.length < 2 ? keys : [...new Set(keys)];
}

/** The comparison keys of all values of an attribute. */
export function keysOf(node: AttributeNode, body: JsonObject): readonly ComparisonKey[] {
  let value: JsonValue | undefined = body;
  let depth = 0;
  while (depth < node.keys.length && isJsonObject(value)) {
    value = own(value, node.keys[depth] ?? "");
    depth += 1;
  }
  if (isJsonArray(value)) {
    const keys: ComparisonKey[] = [];
    addKeys({ node, keys }, value, depth);
    return keys;
  }
  const key = depth < node.keys.length ? undefined : keyOf(node, value);
  return key === undefined ? [] : [key];
}

function keyOf({ attribute }: AttributeNode, value: JsonValue | undefined): ComparisonKey | undefined {
  return comparisonKey(attribute.type, attribute.caseExact, value);
}

interface KeyList {
  readonly node: AttributeNode;
  readonly keys: ComparisonKey[];
}

/** Adds the keys of all values at the end of the path of an attribute, through lists. */
function addKeys(list: KeyList, value: JsonValue | undefined, depth: number): void {
  if (value === undefined || value === null) return;
  if (isJsonArray(value)) {
    for (const each of value) addKeys(list, each, depth);
    return;
  }
  const { node, keys } = list;
  const name = node.keys[depth];
  if (name !== undefined) {
    if (isJsonObject(value)) addKeys(list, own(value, name), depth + 1);
    return;
  }
  const key = keyOf(node, value);
  if (key !== undefined) keys.push(key);
}

/** What to remove and to add to come from one state to the other. */
export function entryDelta<Entry extends IndexEntry>(
  before: readonly Entry[],
  after: readonly Entry[],
): EntryDelta<Entry> {
  if (before.length === 0 || after.length === 0) return { add: after, remove: before };
  const name = (entry: Entry): string => JSON.stringify(Object.values(entry));
  const known = new Set(before.map(name));
  const wanted = new Set(after.map(name));
  return {
    add: after.filter((entry) => !known.has(name(entry))),
    remove: before.filter((entry) => !wanted.has(name(entry))),
  };
}
