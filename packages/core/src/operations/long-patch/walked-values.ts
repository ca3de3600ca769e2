/**
 * Stages what operations make of the values of a long collection, some at a time: each on the result of the one before,
 * as on all of them at once.
 * @module
 */
import { copyObject, type MutableObject, type MutableValue } from "../../attributes/json-object.ts";
import { settleList } from "../../attributes/settle.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import { applyOperations, type RequestOperation } from "../../patch/apply.ts";
import { Effort } from "../../patch/effort.ts";
import { valuesOf } from "../../patch/multi-valued.ts";
import { isUnassigned } from "../../patch/singular.ts";
import type { BindingContext } from "../../patch/state.ts";
import { toReference } from "../../plan/collections.ts";
import { referenceBatch } from "../../store/reference-stage.ts";
import type { ReferenceRow } from "../../store/reference-rows.ts";
import type { ReferenceValue, StoredResource } from "../../store/stored-resource.ts";
import type { RequestStage } from "../long-body/staged-changes.ts";
import { referenceWindows } from "../reference-windows.ts";

/** A collection whose values are changed one by one. */
export interface WalkedCollection {
  readonly node: AttributeNode;
  /** Those on this collection. */
  readonly operations: readonly RequestOperation[];
  readonly stored: StoredResource;
  readonly binding: BindingContext;
  readonly stage: RequestStage;
}

/** Values behind which those that were found are staged: of each window there may be few. */
const STAGED_AT_ONCE = 500;

/** What was staged of a collection. */
export interface StagedWalk {
  /** Whether any values are left. */
  readonly isLeft: boolean;
  /** Whether that is what the collection loses, and not what it comes to hold. */
  readonly isLoss: boolean;
}

/**
 * Stages what the values of a collection become; of one that only loses some, what it loses, where the first of its values tell that
 * this is less.
 * @throws ScimError as the operations on all values do
 */
export async function stageWalked(
  environment: Environment,
  context: RequestContext,
  walked: WalkedCollection,
): Promise<StagedWalk> {
  const { node, operations, stored, binding, stage } = walked;
  const unmatched = new Set(operations.filter(setsSelected));
  const apply = (operation: RequestOperation, resource: MutableObject): void => {
    // Others wait for one window alone.
    const effort = new Effort();
    const state = { ...binding, resource, validator: environment.validator, effort };
    const steps = applyOperations([operation], state);
    while (steps.next().done !== true) continue;
  };
  let pending: ReferenceValue[] = [];
  const stageAll = async (): Promise<void> => {
    if (pending.length > 0) await stage.add(binding.decode.model, node, referenceBatch(pending));
    pending = [];
  };
  let isLeft = false;
  let isLoss: boolean | null = operations.every(removesWhole) ? null : false;
  for await (const rows of referenceWindows(environment, context, { ...stored, path: node.path })) {
    const resource: MutableObject = { [node.attribute.name]: rows.map(valueOf) };
    for (const operation of operations) {
      const isMatched = matchesAny(operation, valuesOf(resource, node));
      if (isMatched) unmatched.delete(operation);
      // One that finds nothing here may find something elsewhere: it makes no value for that.
      if (isMatched || !setsSelected(operation)) apply(operation, resource);
    }
    const left = settleList(node, valuesOf(resource, node), binding.decode).flatMap(toReference);
    isLoss ??= left.length >= rows.length / 2;
    pending.push(...(isLoss ? goneOf(rows, left) : left));
    if (pending.length >= STAGED_AT_ONCE) await stageAll();
    isLeft ||= left.length > 0;
  }
  await stageAll();
  // What finds nothing at all is refused, since it brings no id to make a value of.
  for (const operation of unmatched) apply(operation, {});
  return { isLeft, isLoss: isLoss ?? false };
}

/** Whether an operation takes values away, and changes none. */
function removesWhole({ target, change }: RequestOperation): boolean {
  return change.op === "remove" && target.sub === null;
}

/** Whether an operation sets something of the values that a filter selects. */
function setsSelected({ target, change }: RequestOperation): boolean {
  return target.filter !== null && change.op !== "remove" && !isUnassigned(change.value);
}

function matchesAny({ target: { filter } }: RequestOperation, values: readonly MutableValue[]): boolean {
  return filter === null ? values.length > 0 : values.some(filter.matches);
}

/** The values that are not left. What stands beside them goes as well. */
function goneOf(rows: readonly ReferenceRow[], left: readonly ReferenceValue[]): readonly ReferenceValue[] {
  const stays = new Set(left.map(({ value }) => value));
  return rows.filter(({ value }) => !stays.has(value)).map(({ value }) => ({ value, rest: {} }));
}

function valueOf({ value, rest }: ReferenceRow): MutableValue {
  return { value, ...copyObject(rest) };
}
