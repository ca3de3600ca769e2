/**
 * Which attributes a representation holds: `attributes`, `excludedAttributes` and `returned`
 * (RFC 7644 §3.9, RFC 7643 §7). Made before anything is read, so that the store reads no more.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { withoutValues } from "../attributes/without-values.ts";
import type { RequestContext } from "../context.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { findAttribute } from "../model/find-attribute.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import type { ProjectionRequest } from "../requests.ts";
import { type ProjectionName, readNames } from "./projection-names.ts";

/** How much of an attribute is shown. */
export type Shown = "nothing" | "all" | ReadonlyMap<string, Shown>;

/** The attributes of a representation. */
export interface Selection {
  /** For each attribute by its name in the schema: `all` or some of its sub-attributes; those missing are not shown. */
  readonly shown: ReadonlyMap<string, Shown>;
  /** Whether a client named attributes. */
  readonly asked: boolean;
}

/** How much is shown of an attribute that stands in the resource or in an extension. */
export function shownOfAttribute(selection: Selection, node: AttributeNode): Shown {
  const top = selection.shown.get(node.keys[0] ?? "") ?? "nothing";
  if (node.extension === null || typeof top === "string") return top;
  return top.get(node.attribute.name) ?? "nothing";
}

/** Shown whatever a client asks for (RFC 7643 §3, and `meta` as the interface has it). */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(["schemas", "id", "meta"]);

interface Wishes {
  readonly mode: "attributes" | "excludedAttributes" | "default";
  readonly nodes: ReadonlySet<AttributeNode>;
  /** Attributes that a write gave: those returned on request are shown too. */
  readonly given: ReadonlySet<AttributeNode>;
}

const NO_NODES: ReadonlySet<AttributeNode> = new Set();
const defaults = new WeakMap<ResourceModel, Selection>();

/** A projection request and, after a write, the attributes that it gave. */
export interface SelectionRequest extends ProjectionRequest {
  /** Attributes returned on request that are shown because a write gave them. */
  readonly given?: ReadonlySet<AttributeNode>;
}

/**
 * Turns a projection request into a selection.
 * @throws ScimError `invalidValue` where both lists are given, or a name is unknown and the profile refuses that
 */
export function selectAttributes(
  model: ResourceModel,
  request: SelectionRequest,
  context: RequestContext,
): Selection {
  const { attributes, excludedAttributes, given = NO_NODES } = request;
  const mode =
    attributes !== null ? "attributes" : excludedAttributes !== null ? "excludedAttributes" : "default";
  if (attributes !== null && excludedAttributes !== null) {
    throw new ScimError("invalidValue", "Give 'attributes' or 'excludedAttributes', not both.");
  }
  if (mode === "default" && given.size === 0) return defaultSelection(model);
  const nodes = new Set(
    readNames(attributes ?? excludedAttributes ?? []).flatMap((name) => namedNodes(model, name, context)),
  );
  return { shown: select(model, { mode, nodes, given }), asked: mode !== "default" };
}

function defaultSelection(model: ResourceModel): Selection {
  const known = defaults.get(model);
  if (known !== undefined) return known;
  const made: Selection = {
    shown: select(model, { mode: "default", nodes: NO_NODES, given: NO_NODES }),
    asked: false,
  };
  defaults.set(model, made);
  return made;
}

function namedNodes(
  model: ResourceModel,
  name: ProjectionName,
  context: RequestContext,
): readonly AttributeNode[] {
  const named = findNodes(model, name, context);
  if (named.length > 0) return named;
  if (!context.profile.switches.has("unknown-projection-names")) {
    throw new ScimError(
      "invalidValue",
      `'${withoutValues(name.text)}' in attributes or excludedAttributes names no attribute of ${model.name}.`,
    );
  }
  context.onSwitch("unknown-projection-names", withoutValues(name.text));
  return [];
}

/** Whether a name in `attributes` or `excludedAttributes` means something to a resource type. */
export function isNamed(model: ResourceModel, name: ProjectionName, context: RequestContext): boolean {
  return findNodes(model, name, context).length > 0;
}

function findNodes(
  model: ResourceModel,
  { text, path }: ProjectionName,
  context: RequestContext,
): readonly AttributeNode[] {
  const lower = text.toLowerCase();
  if (lower === model.schema.toLowerCase()) {
    return [...model.members.values()].filter((node) => node.extension === null);
  }
  const extension = model.extensions.get(lower);
  if (extension !== undefined) return [extension.node];
  const found = path === null ? null : findAttribute(model, path);
  if (found === null) return [];
  if (found.unqualified) {
    if (!context.profile.switches.has("unqualified-extension-names")) return [];
    context.onSwitch("unqualified-extension-names", found.node.path);
  }
  return [found.node];
}

function select(model: ResourceModel, wishes: Wishes): ReadonlyMap<string, Shown> {
  const shown = new Map<string, Shown>();
  const around = wishes.mode === "attributes" ? "parts" : "whole";
  for (const node of model.members.values()) {
    const name = node.keys[0] ?? node.attribute.name;
    const part = node.extension === null && ALWAYS_SHOWN.has(name) ? "all" : shownOf(node, wishes, around);
    if (part !== "nothing") shown.set(name, part);
  }
  return shown;
}

/**
 * How the parts of a complex attribute are chosen: all that are returned by default, or only those that are
 * named or always returned.
 */
type Cover = "whole" | "parts";

function shownOf(node: AttributeNode, wishes: Wishes, around: Cover): Shown {
  if (node.attribute.returned === "never") return "nothing";
  if (node.subAttributes.size > 0) return shownParts(node, wishes, coverOf(node, wishes, around));
  return isShown(node, wishes, around) ? "all" : "nothing";
}

function isShown(node: AttributeNode, wishes: Wishes, around: Cover): boolean {
  const { returned } = node.attribute;
  if (returned === "always") return true;
  const named = wishes.nodes.has(node);
  switch (wishes.mode) {
    case "attributes":
      return named || (around === "whole" && returned === "default");
    case "excludedAttributes":
      return returned === "default" && !named && around === "whole";
    case "default":
      return returned === "default" || wishes.given.has(node);
  }
}

/** Whether a complex attribute is shown as a whole, by what was asked of it and around it. */
function coverOf(node: AttributeNode, wishes: Wishes, around: Cover): Cover {
  const { returned } = node.attribute;
  const named = wishes.nodes.has(node);
  if (returned === "always") return "whole";
  switch (wishes.mode) {
    case "attributes":
      return named || (around === "whole" && returned === "default") ? "whole" : "parts";
    case "excludedAttributes":
      return returned === "default" && !named && around === "whole" ? "whole" : "parts";
    case "default":
      return returned === "default" || wishes.given.has(node) ? "whole" : "parts";
  }
}

function shownParts(node: AttributeNode, wishes: Wishes, cover: Cover): Shown {
  const parts = new Map<string, Shown>();
  let complete = true;
  for (const sub of node.subAttributes.values()) {
    const part = shownOf(sub, wishes, cover);
    if (part !== "nothing") parts.set(sub.attribute.name, part);
    complete &&= part === "all";
  }
  const isExtension = node.extension === node.path;
  const wanted = cover === "whole" || isExtension || hasNamedPart(node, wishes);
  if (parts.size === 0 || !wanted) return "nothing";
  return complete ? "all" : parts;
}

/** A complex attribute that nobody asked for is not shown for the sake of a sub-attribute that is always returned. */
function hasNamedPart(node: AttributeNode, wishes: Wishes): boolean {
  return (
    wishes.mode === "attributes" && [...node.subAttributes.values()].some((sub) => wishes.nodes.has(sub))
  );
}
