/**
 * Long collections that a PATCH exchanges as a whole: what they hold is not read, but compared in the store with what is
 * staged for them, as for a PUT.
 * @module
 */
import { isScimError } from "@scim/schemas";
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { naming, type RequestOperation } from "../patch/apply.ts";
import type { CollectionValues } from "../plan/collections.ts";
import type { StoredResource } from "../store/stored-resource.ts";
import type { CollectionDelta } from "../store/write-plan.ts";
import type { LongChanges, RequestStage } from "./long-body/staged-changes.ts";

/** The collections, and what they are to hold. */
export interface ExchangedCollections {
  readonly exchanged: ReadonlySet<AttributeNode>;
  readonly wanted: CollectionValues;
}

/** The operations of a request, and where the values are staged that they give. */
export interface ExchangingPatch {
  readonly model: ResourceModel;
  readonly operations: readonly RequestOperation[];
  readonly stage: RequestStage;
}

/**
 * How the collections change.
 * @throws ScimError `mutability` naming the operation
 */
export async function exchangeCollections(
  { model, operations, stage }: ExchangingPatch,
  { id }: Pick<StoredResource, "id">,
  { exchanged, wanted }: ExchangedCollections,
): Promise<LongChanges> {
  const deltas: CollectionDelta[] = [];
  const staged: NonNullable<LongChanges["staged"]>[] = [];
  for (const { target, index } of operations) {
    const node = target.attribute;
    if (!exchanged.has(node)) continue;
    const values = wanted.get(node) ?? [];
    if (values.length === 0) {
      deltas.push({ path: node.path, remove: "all", add: [] });
      continue;
    }
    await stage.fill(model, node, values);
    const change = await compared(stage, { owner: { model, id }, node, index });
    deltas.push(...change.deltas);
    if (change.staged !== undefined) staged.push(change.staged);
  }
  const [first] = staged;
  const changes = staged.flatMap((each) => each.changes);
  return { deltas, staged: first === undefined ? undefined : { ...first, changes } };
}

interface Compared {
  readonly owner: Parameters<RequestStage["changes"]>[0];
  readonly node: AttributeNode;
  /** Which of the operations exchanges it. */
  readonly index: number;
}

async function compared(stage: RequestStage, { owner, node, index }: Compared): Promise<LongChanges> {
  try {
    return await stage.changes(owner, [node]);
  } catch (error) {
    throw isScimError(error) && error.status < 500 ? naming(index, error) : error;
  }
}

/** The values of all other collections. */
export function withoutExchanged(
  values: CollectionValues,
  exchanged: ExchangedCollections["exchanged"],
): CollectionValues {
  return exchanged.size === 0 ? values : new Map([...values].filter(([node]) => !exchanged.has(node)));
}
