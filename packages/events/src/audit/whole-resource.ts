/**
 * What the log shows of a resource that comes or goes as a whole: the path of each attribute, and one hash of all
 * personal values. Every creation passes here, so what can be told of an attribute is worked out once.
 * @module
 */
import type { AttributeNode } from "@scim/core";
import { canonicalJson } from "@scim/core/changes";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import { type AuditedAttributes, isUniform, sensitivityOf } from "./sensitivity.ts";
import type { HashValue } from "./subject-keys.ts";

/**
 * What stands for all personal values of a resource. A hash of each would cost writers more than all the rest of the log, and to
 * write them once more, without those that are shown, half of it: the hash is that of the JSON that is written anyway.
 */
const ALL = "*";

/** A resource that comes or goes, and how it is told. */
export interface WholeResource {
  /** `after` for one that comes, `before` for one that goes. */
  readonly side: "before" | "after";
  readonly state: JsonObject;
  /** Its JSON, where that is at hand. */
  readonly text?: string | undefined;
  /** Those of its type; none where that is not served any more. */
  readonly attributes: AuditedAttributes;
  readonly hash: HashValue;
}

/** Canonical JSON of each `AuditChange` of a resource that comes or goes. */
export function wholeResourceChanges({
  side,
  state,
  text,
  attributes: nodes,
  hash,
}: WholeResource): string[] {
  const telling: Telling = { side, changes: [], isPersonal: false, hasSecrets: false };
  tellMembers(telling, nodes, state);
  if (!telling.isPersonal) return telling.changes;
  const json = telling.hasSecrets
    ? JSON.stringify(withoutSecrets(nodes, state))
    : (text ?? JSON.stringify(state));
  return [`{"${side}":{"hash":"${hash(ALL, json)}"},"path":"${ALL}"}`, ...telling.changes];
}

interface Telling {
  readonly side: WholeResource["side"];
  readonly changes: string[];
  /** Whether any value is personal. */
  isPersonal: boolean;
  /** Whether of any value nothing may be told. */
  hasSecrets: boolean;
}

function tellMembers(telling: Telling, nodes: Nodes, state: JsonObject): void {
  const ways = waysOf(nodes);
  for (const name of Object.keys(state)) {
    const value = state[name];
    if (value !== undefined) tellMember(telling, wayOf(ways, nodes, name), value);
  }
}

function tellMember(telling: Telling, way: Way, value: JsonValue): void {
  if (way.parts !== null && isJsonObject(value)) {
    tellMembers(telling, way.parts, value);
    return;
  }
  switch (way.shows) {
    case "path":
      telling.isPersonal = true;
      telling.changes.push(way.alone);
      return;
    case "value":
      telling.changes.push(`{"${telling.side}":{"value":${canonicalJson(value)}},${way.member}}`);
      return;
    case "nothing":
      telling.hasSecrets = true;
      telling.changes.push(`{"${telling.side}":{"withheld":true},${way.member}}`);
  }
}

function withoutSecrets(nodes: Nodes, state: JsonObject): JsonObject {
  const ways = waysOf(nodes);
  const told = Object.entries(state).flatMap<[string, JsonValue]>(([name, value]) => {
    const { shows, parts } = wayOf(ways, nodes, name);
    if (parts !== null && isJsonObject(value)) return [[name, withoutSecrets(parts, value)]];
    return shows === "nothing" ? [] : [[name, value]];
  });
  return Object.fromEntries(told);
}

type Nodes = ReadonlyMap<string, AttributeNode>;

/** How an attribute is told, whatever its value. */
interface Way {
  readonly path: string;
  readonly shows: "path" | "value" | "nothing";
  /** What it is told by, where more may be shown of some parts than of others. */
  readonly parts: Nodes | null;
  /** The path as a member of a change, and as a change that tells nothing else. */
  readonly member: string;
  readonly alone: string;
}

const SHOWN = { none: "value", personal: "path", secret: "nothing" } as const;

/** The ways of the attributes that some nodes name, by the name as resources have it. */
const known = new WeakMap<Nodes, Map<string, Way>>();

function waysOf(nodes: Nodes): Map<string, Way> {
  const ways = known.get(nodes) ?? new Map<string, Way>();
  known.set(nodes, ways);
  return ways;
}

function wayOf(ways: Map<string, Way>, nodes: Nodes, name: string): Way {
  const found = ways.get(name);
  if (found !== undefined) return found;
  const node = nodes.get(name.toLowerCase());
  const way = newWay(name, node);
  // Names that no schema has come from what was stored under another one: there is no end to them.
  if (node !== undefined) ways.set(name, way);
  return way;
}

function newWay(name: string, node: AttributeNode | undefined): Way {
  const path = node?.path ?? name;
  const member = `"path":${JSON.stringify(path)}`;
  const isDivided = node !== undefined && !node.attribute.multiValued && !isUniform(node);
  return {
    path,
    shows: SHOWN[sensitivityOf(node)],
    parts: isDivided ? node.subAttributes : null,
    member,
    alone: `{${member}}`,
  };
}
