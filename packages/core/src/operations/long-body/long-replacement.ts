/**
 * Replaces a resource with collections that are too long to be held, before or after.
 * @module
 */
import { withKeptDetails } from "../../attributes/reference-details.ts";
import { otherImmutable } from "../../attributes/immutable.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ReferenceValue, StoredResource } from "../../store/stored-resource.ts";
import type { CollectionDelta } from "../../store/write-plan.ts";
import type { ResourceAnswer } from "../../answers.ts";
import { answerWith } from "../answer.ts";
import type { PlannedChange } from "../change-resource.ts";
import { keepReferences } from "../immutable-references.ts";
import { replacedBody, type Replacement } from "../replaced-body.ts";
import { afterWrite, planUpdate, type NextState } from "../update-plan.ts";
import type { LongChanges, RequestStage } from "./staged-changes.ts";

/** A replacement, and where the values are that it does not hold. */
export interface LongReplacement extends Replacement {
  readonly stored: StoredResource;
  /** Collections whose values the stage holds; `wanted` has examples of them. */
  readonly staged: ReadonlySet<AttributeNode>;
  readonly stage: RequestStage;
}

/** Stands for the values of a long collection where it only counts that there are some. */
const SOME: readonly ReferenceValue[] = [{ value: "", rest: {} }];

/** Plans how a resource becomes what a body says. The answer lacks its collections: who asks for all of it reads it anew. */
export async function planLongReplacement(
  environment: Environment,
  context: RequestContext,
  input: LongReplacement,
): Promise<PlannedChange<ResourceAnswer>> {
  const { model, stored, secrets, selection } = input;
  const body = replacedBody(input, context);
  const { known, held } = knownValues(input);
  const given = new Map(
    [...input.wanted].map(([node, after]) => [
      node,
      held.has(node) ? [...SOME] : withKeptDetails(node, { before: known.get(node) ?? [], after }, context),
    ]),
  );
  const bodies = { before: stored.body, sent: input.body, after: body };
  const wanted = new Map(keepReferences({ model, body: bodies, known, wanted: given }));
  const long = await longChanges(input, held, wanted);
  for (const node of held.keys()) {
    known.delete(node);
    wanted.delete(node);
  }
  const collections = { known, wanted };
  const next: NextState = { model, stored, body, collections, long, secrets, kind: "replaced" };
  return {
    plan: planUpdate(environment, context, next),
    next,
    outcome: (written) => {
      const after = afterWrite({ ...stored, collections: new Map() }, written);
      return { ...answerWith(environment, { model, stored: after, selection }, context), isPartial: true };
    },
  };
}

interface KnownValues {
  readonly known: Map<AttributeNode, readonly ReferenceValue[]>;
  /** Of the long collections, what stands for their values. */
  readonly held: ReadonlyMap<AttributeNode, readonly ReferenceValue[]>;
}

function knownValues({ model, stored, staged }: LongReplacement): KnownValues {
  const known = new Map<AttributeNode, readonly ReferenceValue[]>();
  const held = new Map<AttributeNode, readonly ReferenceValue[]>();
  for (const { node } of model.collections) {
    const values = stored.collections.get(node.path);
    const isLong = values === undefined || staged.has(node);
    const some = values === undefined || values.length > 0 ? SOME : [];
    if (isLong) held.set(node, some);
    known.set(node, isLong ? some : values);
  }
  return { known, held };
}

async function longChanges(
  { model, stored, staged, stage, wanted: sent }: LongReplacement,
  held: ReadonlyMap<AttributeNode, readonly ReferenceValue[]>,
  wanted: ReadonlyMap<AttributeNode, readonly ReferenceValue[]>,
): Promise<LongChanges> {
  const emptied: CollectionDelta[] = [];
  const filled: AttributeNode[] = [];
  for (const [node, before] of held) {
    const after = wanted.get(node) ?? [];
    // Kept as they are.
    if (after === before && after.length > 0) continue;
    if (after.length > 0) filled.push(node);
    else if (before.length > 0) emptied.push({ path: node.path, remove: "all", add: [] });
  }
  for (const node of filled) {
    if (!staged.has(node)) await stage.fill(model, node, sent.get(node) ?? []);
  }
  if (filled.length === 0) return { deltas: emptied, staged: undefined };
  const changes = await stage.changes({ model, id: stored.id }, filled);
  refuseImmutable(held, filled, changes);
  return { deltas: [...emptied, ...changes.deltas], staged: changes.staged };
}

function refuseImmutable(
  held: ReadonlyMap<AttributeNode, readonly ReferenceValue[]>,
  filled: readonly AttributeNode[],
  { deltas, staged }: LongChanges,
): void {
  const changed = new Set([...deltas, ...(staged?.changes ?? [])].map(({ path }) => path));
  for (const node of filled) {
    const isHeld = (held.get(node)?.length ?? 0) > 0;
    if (node.attribute.mutability === "immutable" && isHeld && changed.has(node.path))
      throw otherImmutable(node);
  }
}
