/**
 * Reads the filter of a query (RFC 7644 §3.4.2.2).
 * @module
 */
import { bindFilter, FilterSemanticError, FilterSyntaxError, type BoundComparison } from "@scim/filter";
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import type { ResourceFilter } from "../../store/port.ts";
import { writeVersion } from "../../versioning/version.ts";
import { boundPath, filterResolver, type Among } from "../bind.ts";

const ENTITY_TAG = /^(?:W\/)?"([^"]*)"$/;

/**
 * Parses and binds a filter. Among several types, attributes that this one does not have have no value in it.
 * @throws ScimError `invalidFilter` naming the place or the attribute
 */
export function readFilter(
  environment: Environment,
  query: { readonly model: ResourceModel; readonly text: string; readonly among?: Among },
  context: RequestContext,
): ResourceFilter {
  try {
    const parsed = environment.parser.filter(query.text, context);
    const bound = bindFilter(parsed, filterResolver(query.model, context, query.among), {
      stringBooleans: context.profile.switches.has("string-booleans"),
      onStringBoolean: () => {
        context.onSwitch("string-booleans", "filter");
      },
    });
    return asStored(bound, query.model);
  } catch (error) {
    if (error instanceof FilterSyntaxError || error instanceof FilterSemanticError) {
      throw new ScimError("invalidFilter", error.message, { cause: error });
    }
    throw error;
  }
}

/** The filter on what is stored: versions without what is derived, extensions by their URN in `schemas`. */
function asStored(filter: ResourceFilter, model: ResourceModel): ResourceFilter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, operands: filter.operands.map((operand) => asStored(operand, model)) };
    case "not":
      return { ...filter, operand: asStored(filter.operand, model) };
    case "valuePath":
      return { ...filter, filter: asStored(filter.filter, model) };
    case "comparison":
      return filter.target.path === "meta.version" ? rawVersion(filter) : filter;
    case "presence":
      return extensionPresence(filter.target.handle, model) ?? filter;
    case "constant":
      return filter;
  }
}

/**
 * `urn:…:Ext pr`: `schemas` names each extension that holds anything. References that it holds are rows, which need
 * not be read for that.
 */
function extensionPresence(node: AttributeNode, model: ResourceModel): ResourceFilter | null {
  const schemas = model.members.get("schemas");
  if (node.extension !== node.path || schemas === undefined) return null;
  return { kind: "comparison", target: boundPath(schemas, schemas.keys), operator: "eq", key: node.path };
}

/** Clients write versions as entity tags, and with what was derived; what is compared is the write alone. */
function rawVersion(comparison: BoundComparison<AttributeNode>): BoundComparison<AttributeNode> {
  if (typeof comparison.key !== "string") return comparison;
  const [, raw] = ENTITY_TAG.exec(comparison.key) ?? [];
  return { ...comparison, key: writeVersion(raw ?? comparison.key) };
}
