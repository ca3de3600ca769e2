/**
 * The tool that finds resources of any type by a filter, and goes on by cursor.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import { FilterSyntaxError } from "@scim/filter";
import { integerOf, requiredText, textOf, textsOf } from "../parameters.ts";
import { invalidParams, scimToolError, type ToolError } from "../tool-error.ts";
import { READS, takes, type Tool, type ToolCall, type ValueSchema } from "../tool.ts";
import { readFilter } from "./filter-text.ts";
import { COUNT, RESOURCES, START_INDEX, TENANT_ID } from "./tool-parameters.ts";
import { pageOf } from "./reading-tools.ts";

const NAMES: ValueSchema = {
  type: "array",
  items: { type: "string", minLength: 1 },
  description: "Paths of attributes, such as userName or emails.value.",
};

/** Makes the tool for the resource types of a service. */
export function queryTool(types: readonly ClientResourceType[]): Tool {
  return {
    name: "scim_query",
    title: "Find resources by a filter",
    description:
      'Finds resources by a SCIM filter, such as `userType eq "Employee" and emails[type eq "work" and value ew "@example.com"]`, page by page. Ask for the attributes that are needed: the answer is shorter. scim_explain_filter tells what a filter means, and what is wrong with it.',
    inputSchema: takes({
      resource_type: typeSchema(types),
      "filter?": { type: "string", minLength: 1, description: "Default: all." },
      "attributes?": { ...NAMES, description: `${NAMES.description ?? ""} These alone are given.` },
      "excluded_attributes?": {
        ...NAMES,
        description: `${NAMES.description ?? ""} All but these are given.`,
      },
      "sort_by?": { type: "string", minLength: 1, description: "Path of an attribute." },
      "sort_order?": { type: "string", enum: ["ascending", "descending"] },
      "count?": COUNT,
      "cursor?": { type: "string", minLength: 1, description: "`nextCursor` of the page before." },
      "start_index?": {
        ...START_INDEX,
        description: "For services without cursors: position of the first result.",
      },
      "tenant_id?": TENANT_ID,
    }),
    outputSchema: RESOURCES,
    annotations: READS,
    right: { verb: "read", type: null },
    run: async (call) => {
      const { params, client, signal } = call;
      const type = typeOf(call);
      const filter = textOf(params, "filter");
      if (filter !== undefined) requireFilter(filter);
      const sortOrder = textOf(params, "sort_order");
      const page = await client.resource(type).page({
        filter,
        attributes: textsOf(params, "attributes"),
        excludedAttributes: textsOf(params, "excluded_attributes"),
        sortBy: textOf(params, "sort_by"),
        sortOrder: sortOrder === "descending" ? "descending" : undefined,
        count: integerOf(params, "count"),
        ...(await placeOf(call)),
        signal,
      });
      return pageOf(call, type, page);
    },
  };
}

/** Which resource type is meant. */
export function typeSchema(types: readonly ClientResourceType[]): ValueSchema {
  return { type: "string", enum: types.map(({ name }) => name), description: "Name of a resource type." };
}

/** The resource type that a call names. */
export function typeOf({ params, types }: Pick<ToolCall, "params" | "types">): ClientResourceType {
  const name = requiredText(params, "resource_type");
  const type = types.find((each) => each.name === name);
  if (type === undefined) throw new TypeError("The parameter was checked against the names of the types.");
  return type;
}

/**
 * Where the page begins: by cursor where the service has cursors, since pages by index shift while resources come and go.
 * @throws ToolError `invalidParams` where two places are named
 */
async function placeOf({
  params,
  signal,
  discovery,
}: ToolCall): Promise<{ readonly cursor?: string; readonly startIndex?: number }> {
  const cursor = textOf(params, "cursor");
  const startIndex = integerOf(params, "start_index");
  if (cursor !== undefined && startIndex !== undefined)
    throw invalidParams("Give 'cursor' or 'start_index', not both.");
  if (cursor !== undefined) return { cursor };
  if (startIndex !== undefined) return { startIndex };
  const { cursor: hasCursors } = await (await discovery()).capabilities({ signal });
  return hasCursors ? { cursor: "" } : {};
}

/** A filter that breaks the grammar is told so with its place, before it is sent. */
function requireFilter(filter: string): void {
  const read = readFilter(filter);
  if (read instanceof FilterSyntaxError) throw wrongFilter(read);
}

/** The error of a filter, with the place at which it is wrong. */
function wrongFilter(error: FilterSyntaxError): ToolError {
  return scimToolError("invalidParams", "invalidFilter", `${error.message}\n${error.caret()}`);
}
