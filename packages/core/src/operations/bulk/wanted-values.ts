/**
 * Which unique values the resources of a bulk job want: of two that want the same, the first gets it.
 * @module
 */
import { isJsonObject, type JsonObject } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import { entriesOf } from "../../plan/entries.ts";
import type { CreateTask } from "./operation.ts";

/** The unique values that a new resource wants, as far as its data tells them before it is read by the rules of a body. */
export function wantedValues(
  { model, data }: Pick<CreateTask, "model" | "data">,
  { connection, profile: { constraints } }: RequestContext,
): readonly string[] {
  if (!isJsonObject(data)) return [];
  const { unique, whereHeld } = entriesOf(model, asSpelled(model, data), {
    constraints,
    connection,
    indexed: [],
  });
  return [...unique, ...whereHeld].map(({ scope, path, key }) => JSON.stringify([scope, path, key]));
}

/** The members of a resource by the names of its schema. */
function asSpelled({ members }: ResourceModel, data: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [members.get(name.toLowerCase())?.keys[0] ?? name, value]),
  );
}
