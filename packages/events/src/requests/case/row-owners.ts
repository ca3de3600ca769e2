/**
 * Owners of rows: a row of a collection is made where the resource is that holds the collection.
 * @module
 */
import type { ModelCatalog, ResourceModel } from "@scim/core";
import { isJsonObject, type JsonObject, type JsonValue } from "@scim/schemas";
import type { LoggedRequest } from "../entry.ts";
import { fillRequired } from "./fill-required.ts";
import type { GivenResource } from "./request-case.ts";

/** A resource as the log shows it, and its type. */
export interface ShownResource {
  readonly model: ResourceModel;
  readonly resource: JsonValue | undefined;
}

/** An owner: its id as the log shows it, and what creates it. */
export interface RowOwner {
  readonly shown: string;
  readonly given: Omit<GivenResource, "name">;
}

/** The owners of those resources that are rows, each once, in their order. */
export function ownersOf(
  catalog: Pick<ModelCatalog, "model">,
  entry: LoggedRequest,
  resources: readonly ShownResource[],
): readonly RowOwner[] {
  const owners = new Map<string, RowOwner>();
  for (const { model, resource } of [...resources, ...sentRow(catalog, entry)]) {
    const end = isJsonObject(resource) && model.rows !== null ? resource[model.rows.owner.path] : undefined;
    const id = isJsonObject(end) ? end["value"] : undefined;
    if (model.rows === null || !isJsonObject(end) || typeof id !== "string" || owners.has(id)) continue;
    const of = catalog.model(model.rows.type);
    const name = model.rows.displayKey === null ? undefined : end["display"];
    const known: JsonObject = {
      schemas: [of.schema],
      ...(model.rows.displayKey === null || name === undefined ? {} : { [model.rows.displayKey]: name }),
    };
    const whole = fillRequired(of, known, { entry: NOTHING_ASKED, shown: `owner-${owners.size + 1}` });
    owners.set(id, { shown: id, given: { endpoint: of.definition.endpoint, resource: whole } });
  }
  return [...owners.values()];
}

/** What the filter of a request asks for, it asks of rows. */
const NOTHING_ASKED = { target: "", body: null };

/** The row that a request made, or would have made if it had not been there. The answer tells what its owner is called. */
function sentRow(
  catalog: Pick<ModelCatalog, "model">,
  { method, type, status, errorCode, answer, body }: LoggedRequest,
): readonly ShownResource[] {
  const hadOwner = status < 300 || errorCode === "uniqueness";
  if (method !== "POST" || type === null || !hadOwner) return [];
  const model = catalog.model(type);
  return [answer, body].map((message) => ({ model, resource: message?.json }));
}
