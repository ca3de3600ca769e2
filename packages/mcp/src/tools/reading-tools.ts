/**
 * The tools that read resources of one type.
 * @module
 */
import type { ClientResourceType, Page } from "@scim/client/fetch";
import type { JsonObject } from "@scim/schemas";
import { integerOf, requiredText } from "../parameters.ts";
import { gives, READS, takes, type Tool, type ToolCall } from "../tool.ts";
import { idOf, type NamedType } from "./named-type.ts";
import { namedId } from "./requests.ts";
import { searchFilter } from "./search-filter.ts";
import { COUNT, RESOURCE, RESOURCES, START_INDEX, TENANT_ID } from "./tool-parameters.ts";

/** Makes the tool that reads one resource (RFC 7644 §3.4.1). */
export function get({ type, one }: NamedType): Tool {
  return {
    name: `scim_get_${one}`,
    title: `Read a ${type.name}`,
    description: `Reads one ${type.name} by its id, with the version that a change can be made on.`,
    inputSchema: takes({ [`${one}_id`]: idOf(type), "tenant_id?": TENANT_ID }),
    outputSchema: RESOURCE,
    annotations: READS,
    right: { verb: "read", type: type.name },
    run: async (call) => {
      const id = namedId(call.params, `${one}_id`);
      return call.shown(type, await call.client.resource(type).get(id, { signal: call.signal }));
    },
  };
}

/** Makes the tool that lists resources page by page (RFC 7644 §3.4.2.4). */
export function list({ type, many }: NamedType): Tool {
  return {
    name: `scim_list_${many}`,
    title: `List ${type.name} resources`,
    description: `Lists ${type.name} resources, page by page. To look for some of them take scim_search_${many} or scim_query.`,
    inputSchema: takes({ "start_index?": START_INDEX, "count?": COUNT, "tenant_id?": TENANT_ID }),
    outputSchema: RESOURCES,
    annotations: READS,
    right: { verb: "read", type: type.name },
    run: async (call) => {
      const page = await call.client.resource(type).page({
        startIndex: integerOf(call.params, "start_index"),
        count: integerOf(call.params, "count"),
        signal: call.signal,
      });
      return pageOf(call, type, page);
    },
  };
}

/** Makes the tool that finds resources by one attribute. */
export function search({ type, many }: NamedType): Tool {
  return {
    name: `scim_search_${many}`,
    title: `Find ${type.name} resources by one attribute`,
    description: `Finds ${type.name} resources of which an attribute equals a value. For other conditions take scim_query.`,
    inputSchema: takes({
      attribute: {
        type: "string",
        minLength: 1,
        description: "Path of an attribute: `userName`, `emails.value`, `externalId`.",
      },
      value: {
        anyOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }],
        description: "What it equals.",
      },
      "tenant_id?": TENANT_ID,
    }),
    outputSchema: RESOURCES,
    annotations: READS,
    right: { verb: "read", type: type.name },
    run: async (call) => {
      const filter = searchFilter(type, requiredText(call.params, "attribute"), call.params["value"]);
      const page = await call.client.resource(type).page({ filter, signal: call.signal });
      return pageOf(call, type, page);
    },
  };
}

/** Makes the tool that tells whether there is a resource of an id. */
export function exists({ type, one }: NamedType): Tool {
  return {
    name: `scim_${one}_exists`,
    title: `Look whether a ${type.name} is there`,
    description: `Tells whether there is a ${type.name} of an id.`,
    inputSchema: takes({ [`${one}_id`]: idOf(type), "tenant_id?": TENANT_ID }),
    outputSchema: gives({ exists: { type: "boolean" } }),
    annotations: READS,
    right: { verb: "read", type: type.name },
    run: async ({ client, params, signal }) => ({
      exists: await client.resource(type).exists(namedId(params, `${one}_id`), { signal }),
    }),
  };
}

/** A page as tools give it: the members of a ListResponse (RFC 7644 §3.4.2). */
export function pageOf(
  call: ToolCall,
  type: ClientResourceType,
  { resources, totalResults, startIndex, nextCursor }: Page<object>,
): JsonObject {
  return {
    ...(totalResults === null ? {} : { totalResults }),
    ...(startIndex === null ? {} : { startIndex }),
    itemsPerPage: resources.length,
    ...(nextCursor === null ? {} : { nextCursor }),
    // What the client read of an answer is JSON.
    Resources: resources.map((resource) => call.shown(type, resource as JsonObject)),
  };
}
