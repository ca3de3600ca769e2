/**
 * Finds who holds values by queries: of attributes and stores without an index that is known to be built, and where more is
 * asked of the holders.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { keysOf } from "../../plan/entries.ts";
import { NO_SELECTION } from "../../projection/read-selection.ts";
import { boundPath } from "../../query/bind.ts";
import { eachBatch } from "../../store/each-batch.ts";
import type { KeyHolder } from "../../store/import-store.ts";
import type { ResourceFilter } from "../../store/port.ts";
import { scopeOf } from "../../store/scope.ts";

/** Keys of one query. */
const KEYS_OF_QUERY = 50;

/** Whose holders are looked for. */
export interface HeldKeys {
  readonly model: ResourceModel;
  readonly node: AttributeNode;
  readonly keys: readonly ComparisonKey[];
  /** An attribute of which the holders have no value. Default: whatever they have. */
  readonly lacking?: AttributeNode;
}

/** Who holds the keys. */
export async function queryHolders(
  environment: Environment,
  context: RequestContext,
  { model, node, keys, lacking }: HeldKeys,
): Promise<readonly KeyHolder[]> {
  const holders: KeyHolder[] = [];
  const lacks = lacking === undefined ? null : absence(lacking);
  for (let start = 0; start < keys.length; start += KEYS_OF_QUERY) {
    const wanted = new Set(keys.slice(start, start + KEYS_OF_QUERY));
    const held = anyOf(node, [...wanted]);
    const filter: ResourceFilter = lacks === null ? held : { kind: "and", operands: [held, lacks] };
    const query = { type: model.name, filter, select: NO_SELECTION };
    // A store may answer others, too.
    for await (const batch of eachBatch(environment.store, scopeOf(context), query)) {
      const meant = batch.filter(({ body }) => lacking === undefined || keysOf(lacking, body).length === 0);
      const keyed = meant.flatMap(({ id, body }) => keysOf(node, body).map((key) => ({ key, id })));
      holders.push(...keyed.filter(({ key }) => wanted.has(key)));
    }
  }
  return holders;
}

function absence(node: AttributeNode): ResourceFilter {
  return { kind: "not", operand: { kind: "presence", target: boundPath(node, node.keys) } };
}

function anyOf(node: AttributeNode, keys: readonly ComparisonKey[]): ResourceFilter {
  const target = boundPath(node, node.keys);
  const operands = keys.map((key): ResourceFilter => ({ kind: "comparison", target, operator: "eq", key }));
  const [first] = operands;
  return operands.length === 1 && first !== undefined ? first : { kind: "or", operands };
}
