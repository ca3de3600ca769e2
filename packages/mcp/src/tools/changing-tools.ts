/**
 * The tools that change resources of one type.
 * @module
 */
import type { ClientResourceType } from "@scim/client/fetch";
import { PATCH_OP_URN, type JsonObject, type JsonValue } from "@scim/schemas";
import { listOf, objectOf, requiredText, textOf } from "../parameters.ts";
import { invalidParams } from "../tool-error.ts";
import { ADDS, CHANGES, gives, takes, type Tool, type ValueSchema } from "../tool.ts";
import { EXPECTED_VERSION, expectedVersion } from "../versions.ts";
import { idOf, type NamedType } from "./named-type.ts";
import { changed, DRY_RUN, pathOf, send } from "./requests.ts";
import { RESOURCE, TENANT_ID } from "./tool-parameters.ts";
import { attributesLine } from "./type-summary.ts";

/** Makes the tool that creates a resource (RFC 7644 §3.3). */
export function create({ type, one }: NamedType): Tool {
  return {
    name: `scim_create_${one}`,
    title: `Create a ${type.name}`,
    description: `Creates a ${type.name}. Attributes: ${attributesLine(type)}.`,
    inputSchema: takes({
      [`${one}_data`]: dataOf(type),
      "tenant_id?": TENANT_ID,
      "dry_run?": DRY_RUN,
    }),
    outputSchema: RESOURCE,
    annotations: ADDS,
    right: { verb: "write", type: type.name },
    run: async (call) => {
      const body = withSchemas(type, objectOf(call.params, `${one}_data`));
      return changed(call, type, { answer: await send(call, { method: "POST", path: type.endpoint, body }) });
    },
  };
}

/** Makes the tool that puts another state in the place of a resource (RFC 7644 §3.5.1). */
export function update({ type, one }: NamedType): Tool {
  return {
    name: `scim_update_${one}`,
    title: `Replace a ${type.name}`,
    description: `Puts another state in the place of a ${type.name}: what '${one}_data' leaves out is cleared, so read it first, and give all of it back. For single attributes take scim_patch_${one}. Without 'expected_version' a change that somebody else made meanwhile is lost.`,
    inputSchema: takes({
      [`${one}_data`]: dataOf(type),
      "expected_version?": EXPECTED_VERSION,
      [`${one}_id?`]: { ...idOf(type), description: `Default: '${one}_data.id'.` },
      "tenant_id?": TENANT_ID,
      "dry_run?": DRY_RUN,
    }),
    outputSchema: RESOURCE,
    annotations: CHANGES,
    right: { verb: "write", type: type.name },
    run: async (call) => {
      const data = objectOf(call.params, `${one}_data`);
      const id = targetOf(data, { given: textOf(call.params, `${one}_id`), one });
      const request = {
        method: "PUT" as const,
        path: pathOf(type, id),
        body: withSchemas(type, data),
        version: expectedVersion(call.params),
      };
      return changed(call, type, { answer: await send(call, request), id });
    },
  };
}

const OPERATIONS: ValueSchema = {
  type: "array",
  minItems: 1,
  items: {
    type: "object",
    required: ["op"],
    properties: {
      op: { type: "string", description: "add, replace or remove" },
      path: {
        type: "string",
        description: 'What is changed: `title`, `name.familyName`, `emails[type eq "work"].value`.',
      },
      value: { description: "Any JSON; none for remove." },
    },
  },
  description: "PATCH operations (RFC 7644 §3.5.2), done in this order, all or none.",
};

/** Makes the tool that changes single attributes of a resource (RFC 7644 §3.5.2). */
export function patch({ type, one }: NamedType): Tool {
  return {
    name: `scim_patch_${one}`,
    title: `Change attributes of a ${type.name}`,
    description: `Changes single attributes of a ${type.name}, and leaves the others as they are.`,
    inputSchema: takes({
      [`${one}_id`]: idOf(type),
      operations: OPERATIONS,
      expected_version: EXPECTED_VERSION,
      "tenant_id?": TENANT_ID,
      "dry_run?": DRY_RUN,
    }),
    outputSchema: RESOURCE,
    annotations: CHANGES,
    right: { verb: "write", type: type.name },
    run: async (call) => {
      const id = requiredText(call.params, `${one}_id`);
      const body = { schemas: [PATCH_OP_URN], Operations: listOf(call.params, "operations") };
      const version = expectedVersion(call.params);
      const answer = await send(call, { method: "PATCH", path: pathOf(type, id), body, version });
      return changed(call, type, { answer, id });
    },
  };
}

/** Makes the tool that deletes a resource (RFC 7644 §3.6). */
export function remove({ type, one }: NamedType): Tool {
  return {
    name: `scim_delete_${one}`,
    title: `Delete a ${type.name}`,
    description: `Deletes a ${type.name}. To keep it and only shut it out, patch 'active' to false where it has that attribute.`,
    inputSchema: takes({
      [`${one}_id`]: idOf(type),
      "expected_version?": EXPECTED_VERSION,
      "tenant_id?": TENANT_ID,
      "dry_run?": DRY_RUN,
    }),
    outputSchema: gives({ "deleted?": { type: "boolean" }, "id?": { type: "string" } }),
    annotations: CHANGES,
    right: { verb: "delete", type: type.name },
    run: async (call) => {
      const id = requiredText(call.params, `${one}_id`);
      const version = expectedVersion(call.params);
      const answer = await send(call, { method: "DELETE", path: pathOf(type, id), version });
      if (call.params["dry_run"] === true) return changed(call, type, { answer, id });
      return { deleted: true, id };
    },
  };
}

function dataOf({ name, schema }: ClientResourceType): ValueSchema {
  return {
    type: "object",
    description: `The ${name}, as JSON of ${schema.id}. 'schemas' may be left out. 'scim_get_schemas' tells its attributes.`,
  };
}

/** The id of what is replaced: that of the call, or of the data; both and different would be a mistake. */
function targetOf(
  data: JsonObject,
  { given, one }: { readonly given: string | undefined; readonly one: string },
): string {
  const { id } = data;
  const inside = typeof id === "string" && id !== "" ? id : undefined;
  if (given !== undefined && inside !== undefined && given !== inside) {
    throw invalidParams(`The parameter '${one}_id' and '${one}_data.id' name two resources.`);
  }
  const target = given ?? inside;
  if (target === undefined) {
    throw invalidParams(`Neither '${one}_id' nor '${one}_data.id' tells which resource is meant.`);
  }
  return target;
}

/** `schemas` is worked out where it was left out: the base schema, and each extension that is there. */
function withSchemas({ schema, extensions }: ClientResourceType, data: JsonObject): JsonObject {
  if (Object.keys(data).some((name) => name.toLowerCase() === "schemas")) return data;
  const names = new Set(Object.keys(data).map((name) => name.toLowerCase()));
  const held: readonly JsonValue[] = extensions
    .filter(({ id }) => names.has(id.toLowerCase()))
    .map(({ id }) => id);
  return { schemas: [schema.id, ...held], ...data };
}
