/**
 * Creates a row: adds a value to a collection.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { bindReference } from "../../attributes/reference.ts";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { readNewBody } from "../body.ts";
import { selectAttributes } from "../../projection/selection.ts";
import type { ResourceAnswer } from "../../answers.ts";
import type { CreateRequest } from "../../requests.ts";
import { changeOwner } from "./change-owner.ts";
import { nameOf, rowAnswer, rowOfBody, type BodyRow, type RowModel } from "./represent-row.ts";

/**
 * Creates the row that a body states.
 * @throws ScimError `invalidValue` where there is no owner to hold it, `uniqueness` where it is there already
 */
export async function createRow(
  environment: Environment,
  context: RequestContext,
  { rows, request }: { readonly rows: RowModel; readonly request: CreateRequest },
): Promise<ResourceAnswer> {
  const { model, source } = rows;
  const { resource, given } = readNewBody(environment, { model, body: request.body }, context);
  const selection = selectAttributes(model, { ...request, given }, context);
  const row = rowOfBody(source, resource);
  checkValue(environment, rows, row);
  return changeOwner(environment, context, {
    source,
    ends: row,
    operation: { op: "add", path: source.path, value: [{ value: row.value, ...row.rest }] },
    check: (owner, there) => {
      if (there !== undefined) throw alreadyThere(rows);
      const display = nameOf(source, owner.body);
      return rowAnswer(environment, context, { row: { ...row, display }, rows, selection });
    },
    ownerless: () =>
      new ScimError(
        "invalidValue",
        `Attribute '${source.owner.path}.value' must be the id of a ${source.type}, which holds the row.`,
      ),
  });
}

/** Checks the value as the collection does that will keep it; messages name the attribute of the row. */
function checkValue(environment: Environment, { source }: RowModel, row: BodyRow): void {
  const model = environment.catalog.model(source.type);
  const collection = model.collections.find(({ node }) => node.path === source.path);
  if (collection === undefined) throw new TypeError(`${source.type} has no collection ${source.path}`);
  const members = { value: row.value, ...row.rest };
  bindReference(collection.node, {}, { members, path: source.value.path, model });
}

function alreadyThere({ source }: RowModel): ScimError {
  return new ScimError(
    "uniqueness",
    `The ${source.type} holds this '${source.value.path}.value' already: there is nothing to add.`,
  );
}
