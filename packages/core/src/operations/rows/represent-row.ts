/**
 * Makes resources of rows.
 * @module
 */
import type { JsonObject, JsonValue } from "@scim/schemas";
import { isMutableObject, own, ownMutable, type MutableObject } from "../../attributes/json-object.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import type { AttributeNode } from "../../model/attribute-node.ts";
import type { ResourceModel } from "../../model/resource-model.ts";
import type { RowSource } from "../../model/row-source.ts";
import { locationOf } from "../../projection/addresses.ts";
import { addAddresses, representValues } from "../../projection/represent.ts";
import type { Selection } from "../../projection/selection.ts";
import type { ResourceAnswer } from "../../answers.ts";
import type { ReferenceRow } from "../../store/reference-rows.ts";
import { entityTag, representationVersion } from "../../versioning/version.ts";
import { rowId } from "./row-id.ts";

/** The model of a resource type that shows rows. */
export interface RowModel {
  readonly model: ResourceModel;
  readonly source: RowSource;
}

/** A row without its place: what is shown of it. */
export type ShownRow = Omit<ReferenceRow, "position">;

/** The attributes of a row, without `$ref`. */
export function bodyOf({ owner, value }: RowSource, row: ShownRow): JsonObject {
  const held = { value: row.owner, ...(row.display === null ? {} : { display: row.display }) };
  return {
    [owner.attribute.name]: held,
    [value.attribute.name]: { value: row.value, ...knownParts(value.subAttributes, row.rest) },
  };
}

/** What a collection keeps and the schema of the rows does not name is not shown. */
function knownParts(known: ReadonlyMap<string, AttributeNode>, rest: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(rest).filter(([name]) => known.has(name.toLowerCase())));
}

/**
 * Raw version of a row: a digest, since nothing counts how often a row came and went. The name of the owner is
 * derived, as groups of a user are.
 */
export function rowVersion({ sources }: Environment, row: ShownRow): string {
  const { owner, value, rest, display } = row;
  return representationVersion(
    sources.digest(JSON.stringify([owner, value, rest])),
    display === null ? "" : sources.digest(display),
  );
}

/** A row as an answer. It has no instants: nothing records when a value came to a collection. */
export function rowAnswer(
  environment: Environment,
  context: RequestContext,
  {
    row,
    rows,
    selection,
  }: { readonly row: ShownRow; readonly rows: RowModel; readonly selection: Selection },
): ResourceAnswer {
  const { model, source } = rows;
  const id = rowId(row);
  const version = rowVersion(environment, row);
  const location = locationOf(model, id, context.baseUrl);
  const values = representValues(model, selection, {
    stored: { id, body: bodyOf(source, row), collections: NOTHING, inverses: NOTHING },
    baseUrl: context.baseUrl,
  });
  const meta = { resourceType: model.name, location, version: entityTag(version) };
  return { kind: "resource", resource: { ...values, meta }, version, location };
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

/** A row as filters see it. `meta.version` is the raw version without what is derived. */
export function rowView(
  environment: Environment,
  context: RequestContext,
  { row, rows }: { readonly row: ShownRow; readonly rows: RowModel },
): JsonObject {
  const { model, source } = rows;
  const id = rowId(row);
  const view: Record<string, JsonValue> = {
    ...bodyOf(source, row),
    id,
    schemas: [model.schema],
    meta: {
      resourceType: model.name,
      location: locationOf(model, id, context.baseUrl),
      version: rowVersion(environment, { ...row, display: null }),
    },
  };
  addAddresses(view, { model, baseUrl: context.baseUrl });
  return view;
}

/** A row as a client states it. */
export interface BodyRow {
  readonly owner: string;
  readonly value: string;
  readonly rest: MutableObject;
}

/** Reads a row of a valid body: who holds it, and the value to keep. */
export function rowOfBody({ owner, value }: RowSource, body: MutableObject): BodyRow {
  const holder = ownMutable(body, owner.attribute.name);
  const held = ownMutable(body, value.attribute.name);
  const ownerId = isMutableObject(holder) ? ownMutable(holder, "value") : undefined;
  const { value: id, ...rest } = isMutableObject(held) ? held : {};
  if (typeof ownerId !== "string" || typeof id !== "string")
    throw new TypeError("A row without its two ends has passed validation");
  return { owner: ownerId, value: id, rest };
}

/** The name of an owner that its rows show; null where it has none. */
export function nameOf({ displayKey }: RowSource, body: JsonObject): string | null {
  const display = displayKey === null ? undefined : own(body, displayKey);
  return typeof display === "string" ? display : null;
}
