/**
 * Makes the text of a representation of the text that a store keeps: what is shown as it is stored is not read.
 * @module
 */
import type { JsonObject } from "@scim/schemas";
import type { ResourceModel } from "../model/resource-model.ts";
import type { StoredText } from "../store/stored-resource.ts";
import { represent, type Represented } from "./represent.ts";
import type { Selection } from "./selection.ts";
import { splitMembers } from "./split-members.ts";

/** A resource to represent, its body as text. */
export interface RepresentedText extends Pick<Represented, "version" | "baseUrl"> {
  readonly stored: StoredText;
}

/** By the selection that holds where no attributes are named: one for each model. */
const plainNames = new WeakMap<Selection, ReadonlySet<string>>();
const NONE: ReadonlySet<string> = new Set();

/** The JSON text of what `represent` makes; attributes that are shown as they are stored come first. */
export function representText(
  model: ResourceModel,
  selection: Selection,
  { stored, version, baseUrl }: RepresentedText,
): string {
  const split = splitMembers(stored.text, selection.asked ? NONE : plainNamesOf(model, selection));
  const body = parsed(split === null ? stored.text : `{${split.rest}}`);
  const resource = represent(model, selection, { stored: { ...stored, body }, version, baseUrl });
  const text = JSON.stringify(resource);
  if (split === null || split.plain === "") return text;
  // Both come first in every representation, and `meta` behind them.
  const head = JSON.stringify({ schemas: resource["schemas"], id: resource["id"] }).length - 1;
  return `${text.slice(0, head)},${split.plain}${text.slice(head)}`;
}

/** The attributes that are shown as they are stored: to none of them anything is added. */
function plainNamesOf(model: ResourceModel, selection: Selection): ReadonlySet<string> {
  const known = plainNames.get(selection);
  if (known !== undefined) return known;
  const nodes = [...model.members.values()].filter(
    (node) => node.extension === null && node.storage === "value" && !model.references.includes(node),
  );
  const names = nodes.map(({ attribute }) => attribute.name);
  const made = new Set(names.filter((name) => selection.shown.get(name) === "all"));
  plainNames.set(selection, made);
  return made;
}

function parsed(text: string): JsonObject {
  // The store wrote it: it is an object.
  return JSON.parse(text) as JsonObject;
}
