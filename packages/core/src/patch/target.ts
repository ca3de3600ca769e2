/**
 * Binds the path of a PATCH operation to the schema (RFC 7644 §3.5.2).
 * @module
 */
import {
  FilterSemanticError,
  FilterSyntaxError,
  bindValueFilter,
  compileFilter,
  parsedOrNull,
  type FilterNode,
  type PatchPath,
  type ResourceTest,
} from "@scim/filter";
import { ScimError } from "@scim/schemas";
import { isAddress } from "../attributes/reference.ts";
import { withoutValues } from "../attributes/without-values.ts";
import type { RequestContext } from "../context.ts";
import type { AttributeNode } from "../model/attribute-node.ts";
import { findTop } from "../model/find-attribute.ts";
import type { ResourceModel } from "../model/resource-model.ts";
import { boundPath, filterResolver, isHidden } from "../query/bind.ts";
import type { FilterParser } from "../query/parser.ts";
import { attributesOf } from "../store/query-reads.ts";

/** What an operation is applied to. */
export interface PatchTarget {
  /** An attribute of the resource or of an extension, or an extension itself. */
  readonly attribute: AttributeNode;
  /** A sub-attribute of it, or null. */
  readonly sub: AttributeNode | null;
  /** Which values of the attribute, also where it holds only one: the filter as a test and as written; null for all. */
  readonly filter: { readonly matches: ResourceTest; readonly written: FilterNode } | null;
  /** The path for messages. */
  readonly path: string;
}

/** How paths are bound. */
export interface TargetContext {
  readonly model: ResourceModel;
  readonly request: Pick<RequestContext, "profile" | "onSwitch">;
  readonly parser: FilterParser;
}

/**
 * Binds a path.
 * @throws ScimError `invalidPath` for a malformed path or one that names nothing; `invalidFilter` for a value
 * filter that is well-formed but does not fit the attribute
 */
export function bindPath(text: string, context: TargetContext): PatchTarget {
  const extension = wholeExtension(context.model, text);
  if (extension !== undefined)
    return { attribute: extension, sub: null, filter: null, path: withoutValues(text) };
  const target = bindParsed(parse(text, context), text, context);
  if (target !== null) return target;
  throw new ScimError(
    context.request.profile.switches.has("unknown-invalid-syntax") ? "invalidSyntax" : "invalidPath",
    `Path '${withoutValues(text)}' names no attribute of ${context.model.name}: use the name of its schema, extension attributes behind their URN.`,
  );
}

/** The extension that a path names as a whole. */
export function wholeExtension({ extensions }: ResourceModel, path: string): AttributeNode | undefined {
  // SDKs that write `urn:` and `:` and a name end the path of a whole extension with the colon.
  const urn = path.endsWith(":") ? path.slice(0, -1) : path;
  return extensions.get(urn.toLowerCase())?.node;
}

/** Binds a key of an operation without a path; null where it names nothing. */
export function bindKey(key: string, context: TargetContext): PatchTarget | null {
  const node = context.model.members.get(key.toLowerCase());
  if (node !== undefined) return { attribute: node, sub: null, filter: null, path: withoutValues(key) };
  const parsed = parsedOrNull(() => context.parser.patchPath(key, context.request));
  return parsed === null ? null : bindParsed(parsed, key, context);
}

function parse(text: string, context: TargetContext): PatchPath {
  try {
    return context.parser.patchPath(text, context.request);
  } catch (error) {
    if (error instanceof FilterSyntaxError)
      throw new ScimError("invalidPath", error.message, { cause: error });
    throw error;
  }
}

function bindParsed(parsed: PatchPath, text: string, context: TargetContext): PatchTarget | null {
  const found = findTop(context.model, parsed.path);
  if (found === null) return null;
  if (found.unqualified) {
    if (!context.request.profile.switches.has("unqualified-extension-names")) return null;
    context.request.onSwitch("unqualified-extension-names", found.node.path);
  }
  const attribute = found.node;
  const name = parsed.subAttribute ?? found.subAttribute;
  const sub = name === null ? null : attribute.subAttributes.get(name.toLowerCase());
  if (sub === undefined || (sub !== null && attribute.extension === attribute.path)) return null;
  if (parsed.filter === null) return { attribute, sub, filter: null, path: withoutValues(text) };
  if (!attribute.attribute.multiValued) {
    const isObject = attribute.attribute.type === "complex" && attribute.extension !== attribute.path;
    if (!isObject || !context.request.profile.switches.has("singular-value-path"))
      throw selectsOfOne(attribute, text);
    context.request.onSwitch("singular-value-path", attribute.path);
  }
  return {
    attribute,
    sub,
    filter: { matches: testOf(attribute, parsed.filter, context), written: parsed.filter },
    path: withoutValues(text),
  };
}

function selectsOfOne({ path }: AttributeNode, text: string): ScimError {
  return new ScimError(
    "invalidPath",
    `Path '${withoutValues(text)}' selects values of '${path}', which holds only one: leave the brackets out.`,
  );
}

function testOf(attribute: AttributeNode, filter: FilterNode, context: TargetContext): ResourceTest {
  const { model, request } = context;
  if (isHidden(attribute)) throw selectsHidden(attribute);
  try {
    const bound = bindValueFilter(filter, boundPath(attribute, attribute.keys), {
      resolver: filterResolver(model, request),
      stringBooleans: request.profile.switches.has("string-booleans"),
      onStringBoolean: () => {
        request.onSwitch("string-booleans", attribute.path);
      },
    });
    if (attributesOf(bound).some((sub) => isAddress(attribute, sub))) throw selectsByAddress(attribute);
    return compileFilter(bound);
  } catch (error) {
    if (error instanceof FilterSemanticError)
      throw new ScimError("invalidFilter", error.message, { cause: error });
    throw error;
  }
}

/** Whether an operation finds something would tell what nobody may find out. */
function selectsHidden({ path }: AttributeNode): ScimError {
  return new ScimError(
    "invalidFilter",
    `${path} is never returned, and its values cannot be selected by a filter: leave the brackets out.`,
  );
}

/** `$ref` is made for answers alone: changes would find none, and so do nothing without a word. */
function selectsByAddress({ path }: AttributeNode): ScimError {
  return new ScimError(
    "invalidFilter",
    `The path of an operation cannot select values of '${path}' by their $ref: compare '${path}.value' instead.`,
  );
}
