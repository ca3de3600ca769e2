/**
 * Which members of a stored body are shown as they are stored, where a client names no attributes.
 * @module
 */
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { NameTable } from "../attributes/name-table.ts";
import type { Selection } from "./selection.ts";

/** How members of a body, or of one of its extensions, are shown. All others have to be read. */
export interface LevelPlan {
  /** Shown as they are stored. */
  readonly plain: NameTable;
  /** Shown with a `$ref`, by name. */
  readonly references: ReadonlyMap<string, AttributeNode>;
}

/** How a body is shown. */
export interface TextPlan {
  readonly base: LevelPlan;
  /** By URN; null for those of which a part is shown, or that hold what does not stand in the body. */
  readonly extensions: ReadonlyMap<string, LevelPlan | null>;
}

/** By the selection that holds where no attributes are named: one for each model. */
const plans = new WeakMap<Selection, TextPlan>();

/** The plan of a selection. */
export function textPlanOf(model: ResourceModel, selection: Selection): TextPlan {
  const known = plans.get(selection);
  if (known !== undefined) return known;
  const { shown } = selection;
  const base = [...model.members.values()].filter(({ extension }) => extension === null);
  const extensions = [...model.extensions.values()].map(({ urn, node }): [string, LevelPlan | null] => {
    const nodes = [...node.subAttributes.values()];
    const isWhole = shown.get(urn) === "all" && nodes.every(({ storage }) => storage === "value");
    return [urn, isWhole ? levelPlan(model, nodes) : null];
  });
  const made: TextPlan = {
    base: levelPlan(
      model,
      base.filter(({ attribute, storage }) => storage === "value" && shown.get(attribute.name) === "all"),
    ),
    extensions: new Map(extensions),
  };
  plans.set(selection, made);
  return made;
}

/** @param nodes attributes that are shown whole */
function levelPlan(model: ResourceModel, nodes: readonly AttributeNode[]): LevelPlan {
  const references = nodes.filter((node) => model.references.includes(node));
  const plain = nodes.filter((node) => !model.references.includes(node));
  return {
    plain: new NameTable(plain.map(({ attribute }) => attribute.name)),
    references: new Map(references.map((node) => [node.attribute.name, node])),
  };
}
