/**
 * What is read of a resource for what is shown of it.
 * @module
 */
import type { AttributeNode } from "../model/attribute-node.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { InverseSelection, ReadSelection } from "../store/port.ts";
import { shownOfAttribute, type Selection } from "./selection.ts";

/** How far inverses look: off, direct references only, or through nested resources too. */
export type InverseReach = "off" | "direct" | "transitive";

/** Levels of nesting that `transitive` looks through. */
export const TRANSITIVE_DEPTH = 16;

/** Reads nothing beside a resource's own JSON. */
export const NO_SELECTION: ReadSelection = { collections: [], inverses: [] };

/** What is read for selections that no client asked for: the same for most requests. */
const selections = new WeakMap<Selection, Map<InverseReach, ReadSelection>>();

/** What must be read with a resource for a selection: no row is touched for an attribute that is not shown. */
export function readSelection(
  model: ResourceModel,
  selection: Selection,
  reach: InverseReach,
): ReadSelection {
  const earlier = selection.asked ? undefined : selections.get(selection)?.get(reach);
  if (earlier !== undefined) return earlier;
  const select = selectRead(model, selection, reach);
  if (!selection.asked) selections.set(selection, new Map(selections.get(selection)).set(reach, select));
  return select;
}

function selectRead(model: ResourceModel, selection: Selection, reach: InverseReach): ReadSelection {
  const isShown = (node: AttributeNode): boolean => shownOfAttribute(selection, node) !== "nothing";
  return {
    collections: model.collections.filter(({ node }) => isShown(node)).map(({ node }) => node.path),
    inverses: inverseSelections(model, reach).filter(({ inverse }) => isShown(inverse.node)),
  };
}

/** How the inverses of a resource type are computed; none where they are off. */
export function inverseSelections(model: ResourceModel, reach: InverseReach): readonly InverseSelection[] {
  if (reach === "off") return [];
  const depth = reach === "transitive" ? TRANSITIVE_DEPTH : 1;
  return model.inverses.map((inverse) => ({ inverse, depth }));
}
