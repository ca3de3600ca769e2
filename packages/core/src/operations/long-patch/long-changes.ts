/**
 * How the long collections of a resource change by a PATCH: they come to hold what is staged for them, as by a PUT.
 * @module
 */
import { equalInList } from "../../attributes/equal.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import { naming } from "../../patch/apply.ts";
import { requiredValue } from "../../patch/mutability.ts";
import type { NewContent } from "../../patch/new-content.ts";
import type { BindingContext } from "../../patch/state.ts";
import type { ReferenceValue, StoredResource } from "../../store/stored-resource.ts";
import type { SettleReference } from "../../store/reference-stage.ts";
import { settling, type LongChanges, type RequestStage } from "../long-body/staged-changes.ts";
import type { NeededReferences } from "../needed-references.ts";
import { stageWalked } from "./walked-values.ts";

/** A resource whose operations were applied, save those on collections that are walked. */
export interface LongPatch extends Pick<NeededReferences, "renewed" | "walked"> {
  readonly stored: StoredResource;
  readonly binding: BindingContext;
  readonly stage: RequestStage;
  /** The values of collections that the operations lead to. Those of long ones are taken out. */
  readonly wanted: Map<AttributeNode, readonly ReferenceValue[]>;
}

/**
 * Stages the long collections, and tells how they change.
 * @throws ScimError as the operations do on values that are held
 */
export async function longChanges(
  environment: Environment,
  context: RequestContext,
  patch: LongPatch,
): Promise<LongChanges> {
  const { renewed, walked, stored, binding, stage, wanted } = patch;
  const { model } = binding.decode;
  // What was staged of values that were gone through before may be no more.
  if (walked.size > 0) await stage.restart();
  for (const node of renewed.keys()) {
    await stage.fill(model, node, wanted.get(node) ?? []);
    wanted.delete(node);
  }
  const losing = new Set<AttributeNode>();
  for (const [node, operations] of walked) {
    const { isLeft, isLoss } = await stageWalked(environment, context, {
      node,
      operations,
      stored,
      binding,
      stage,
    });
    if (isLoss) losing.add(node);
    if (!isLeft && node.attribute.required) throw requiredValue(node);
  }
  const settle = (node: AttributeNode): SettleReference => settled(node, renewed.get(node), context);
  return stage.changes({ model, id: stored.id }, [...renewed.keys(), ...walked.keys()], { settle, losing });
}

/** What stays beside a value: where a list takes the place of another, its immutable details; else what the operations left. */
function settled(
  node: AttributeNode,
  content: NewContent | undefined,
  context: RequestContext,
): SettleReference {
  const replacing = content?.replacing ?? null;
  if (replacing === null) return (held, staged) => (equalInList(held.rest, staged) ? held.rest : staged);
  const keep = settling(node, context);
  return (held, staged) => {
    try {
      return keep(held, staged);
    } catch (error) {
      throw naming(replacing.index, error);
    }
  };
}
