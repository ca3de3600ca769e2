/**
 * The tool that tells what a filter means, and what is wrong with it, without asking the service.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import { FilterSyntaxError } from "@scim/filter";
import {
  foldFilter,
  printAttributePath,
  printFilter,
  printLiteral,
  visitFilter,
  type AttributePath,
  type CompareOperator,
  type FilterNode,
} from "@scim/filter/ast";
import type { JsonObject } from "@scim/schemas";
import { requiredText } from "../parameters.ts";
import { gives, READS, takes, type Tool } from "../tool.ts";
import { readFilter } from "./filter-text.ts";
import { typeOf, typeSchema } from "./query-tool.ts";
import { definitionOf } from "./search-filter.ts";

/** Makes the tool for the resource types of a service. */
export function explainFilterTool(types: readonly ClientResourceType[]): Tool {
  return {
    name: "scim_explain_filter",
    title: "Explain a filter",
    description:
      "Tells what a SCIM filter means in words, which attributes it names, and where it is wrong. With a resource type it also tells which of the attributes that type does not have. Nothing is sent to the service.",
    inputSchema: takes({
      filter: { type: "string", minLength: 1, description: 'Such as `userName sw "a" and active eq true`.' },
      "resource_type?": typeSchema(types),
    }),
    outputSchema: gives({
      valid: { type: "boolean" },
      "meaning?": { type: "string" },
      "filter?": { type: "string", description: "The filter in its plainest form." },
      "attributes?": { type: "array", items: { type: "string" } },
      "unknownAttributes?": {
        type: "array",
        items: { type: "string" },
        description: "Those that the resource type does not have.",
      },
      "error?": { type: "object", description: "What is wrong, and where." },
    }),
    annotations: READS,
    right: null,
    run: async (call) => {
      const type = call.params["resource_type"] === undefined ? null : typeOf(call);
      return explained(requiredText(call.params, "filter"), type);
    },
  };
}

function explained(text: string, type: ClientResourceType | null): JsonObject {
  const node = readFilter(text);
  if (node instanceof FilterSyntaxError) {
    const { message, offset, expected } = node;
    return { valid: false, error: { message, offset, expected: [...expected], place: node.caret() } };
  }
  const paths = pathsIn(node);
  const unknown = type === null ? [] : paths.filter((path) => definitionOf(type, path) === undefined);
  return {
    valid: unknown.length === 0,
    meaning: meaningOf(node),
    filter: printFilter(node),
    attributes: [...new Set(paths.map(printAttributePath))],
    ...(type === null ? {} : { unknownAttributes: [...new Set(unknown.map(printAttributePath))] }),
  };
}

/** The attributes that a filter names; those between brackets with the attribute before them. */
function pathsIn(node: FilterNode, within: AttributePath | null = null): readonly AttributePath[] {
  const paths: AttributePath[] = [];
  const add = (path: AttributePath): void => {
    paths.push(within === null ? path : { ...within, subAttribute: path.attribute });
  };
  if (node.kind === "valuePath") return [node.path, ...pathsIn(node.filter, node.path)];
  if (node.kind === "and" || node.kind === "or")
    return node.operands.flatMap((each) => pathsIn(each, within));
  if (node.kind === "not") return pathsIn(node.operand, within);
  visitFilter(node, { comparison: ({ path }) => add(path), presence: ({ path }) => add(path) });
  return paths;
}

const OPERATORS: Readonly<Record<CompareOperator, string>> = {
  eq: "equals",
  ne: "differs from",
  co: "contains",
  sw: "begins with",
  ew: "ends with",
  gt: "is above",
  ge: "is at least",
  lt: "is below",
  le: "is at most",
};

function meaningOf(node: FilterNode): string {
  return foldFilter<string>(node, {
    comparison: ({ path, operator, value }) =>
      `${printAttributePath(path)} ${OPERATORS[operator]} ${printLiteral(value)}`,
    presence: ({ path }) => `${printAttributePath(path)} has a value`,
    and: (operands) => `(${operands.join(" and ")})`,
    or: (operands) => `(${operands.join(" or ")})`,
    not: (operand) => `it is not so that ${operand}`,
    valuePath: (filter, { path }) => `one value of ${printAttributePath(path)} meets: ${filter}`,
  });
}
