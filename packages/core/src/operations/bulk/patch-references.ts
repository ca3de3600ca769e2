/**
 * Rewrites the references of a PATCH message to what a bulk job makes: in values, and in the filters of paths.
 * What is malformed stays as it is: the PATCH itself will say so.
 * @module
 */
import { parsedOrNull, type FilterNode, type PatchPath } from "@scim/filter";
import { foldFilter, printPatchPath } from "@scim/filter/ast";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { AttributeNode } from "../../model/attribute-node.ts";
import { findTop } from "../../model/find-attribute.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { nestedValue } from "../../patch/multi-valued.ts";
import { wholeExtension } from "../../patch/target.ts";
import { mayRefer } from "./reference-text.ts";
import { rewriteText, rewriteValue, type Rewriting } from "./references.ts";

/** How the paths of a PATCH are read. */
export interface PatchRewriting extends Rewriting {
  readonly model: ResourceModel;
  /** @throws FilterSyntaxError */
  readonly parse: (path: string) => PatchPath;
}

/** The attribute that a path names, and its parts where it is more than the URN of an extension. */
interface Target {
  readonly attribute: AttributeNode;
  readonly sub: AttributeNode | null;
  readonly parsed: PatchPath | null;
}

/** Rewrites a PATCH message. */
export function rewritePatch(body: JsonValue, rewriting: PatchRewriting): JsonValue {
  if (!isJsonObject(body)) return body;
  return withMember(body, "operations", (operations) =>
    isJsonArray(operations) ? operations.map((each) => rewriteOperation(each, rewriting)) : operations,
  );
}

/** The object with the member of a lower-case name mapped, however the name is spelled. */
function withMember(object: JsonObject, lowerName: string, map: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      name.toLowerCase() === lowerName ? map(value) : value,
    ]),
  );
}

function rewriteOperation(operation: JsonValue, rewriting: PatchRewriting): JsonValue {
  if (!isJsonObject(operation)) return operation;
  const path = pathOf(operation);
  if (path === null) {
    return withMember(operation, "value", (value) => rewriteKeys(value, rewriting));
  }
  const target = typeof path === "string" ? findTarget(path, rewriting) : null;
  if (target === null) return operation;
  const { attribute, sub } = target;
  const rewritten = withMember(operation, "value", (value) =>
    sub === null ? rewriteListed(attribute, value, rewriting) : rewriteOwn(sub, value, rewriting),
  );
  return withMember(rewritten, "path", (named) =>
    typeof named === "string" ? rewritePath(named, target, rewriting) : named,
  );
}

function rewriteOwn(node: AttributeNode, value: JsonValue, rewriting: Rewriting): JsonValue {
  return rewriteValue(node, value, rewriting) ?? value;
}

/** The value of an attribute; of a remove it may stand within an object, under the name of the attribute. */
function rewriteListed(node: AttributeNode, value: JsonValue, rewriting: Rewriting): JsonValue {
  if (!isJsonObject(value) || nestedValue(node, value) === undefined)
    return rewriteOwn(node, value, rewriting);
  return withMember(value, node.attribute.name.toLowerCase(), (list) => rewriteOwn(node, list, rewriting));
}

/** The path of an operation, null for none; undefined where it has two, of which neither is meant more than the other. */
function pathOf(operation: JsonObject): JsonValue | undefined {
  const [path = null, ...others] = Object.entries(operation)
    .filter(([name]) => name.toLowerCase() === "path")
    .map(([, value]) => value);
  return others.length === 0 ? path : undefined;
}

/** Without a path, each member of the value is a path of its own. Some clients send a list of one object. */
function rewriteKeys(value: JsonValue, rewriting: PatchRewriting): JsonValue {
  if (isJsonArray(value)) return value.map((each) => rewriteKeys(each, rewriting));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const target = findTarget(key, rewriting);
      if (target === null) return [key, member];
      const { attribute, sub } = target;
      const path = rewritePath(key, target, rewriting);
      return [path, rewriteOwn(sub ?? attribute, member, rewriting)];
    }),
  );
}

function rewritePath(path: string, { attribute, parsed }: Target, rewriting: Rewriting): string {
  if (parsed === null || parsed.filter === null || !mayRefer(path)) return path;
  return printPatchPath({ ...parsed, filter: rewriteFilter(parsed.filter, attribute, rewriting) });
}

function findTarget(text: string, { model, parse }: PatchRewriting): Target | null {
  const extension = wholeExtension(model, text);
  if (extension !== undefined) return { attribute: extension, sub: null, parsed: null };
  const parsed = parsedOrNull(() => parse(text));
  const found = parsed === null ? null : findTop(model, parsed.path);
  if (parsed === null || found === null) return null;
  const name = parsed.subAttribute ?? found.subAttribute;
  const sub = name === null ? null : found.node.subAttributes.get(name.toLowerCase());
  return sub === undefined ? null : { attribute: found.node, sub, parsed };
}

function rewriteFilter(filter: FilterNode, attribute: AttributeNode, rewriting: Rewriting): FilterNode {
  return foldFilter<FilterNode>(filter, {
    comparison: (node) => {
      const sub = attribute.subAttributes.get(node.path.attribute.toLowerCase());
      const compared = attribute.subAttributes.size === 0 ? attribute : sub;
      if (compared === undefined || typeof node.value !== "string") return node;
      return { ...node, value: rewriteText(compared, node.value, rewriting) ?? node.value };
    },
    presence: (node) => node,
    and: (operands, node) => ({ ...node, operands }),
    or: (operands, node) => ({ ...node, operands }),
    not: (operand, node) => ({ ...node, operand }),
    valuePath: (inner, node) => ({ ...node, filter: inner }),
  });
}
