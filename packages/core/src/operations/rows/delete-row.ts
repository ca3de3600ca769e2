/**
 * Deletes a row: removes a value from a collection.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { notFound } from "../refusals.ts";
import type { DeleteRequest } from "../../requests.ts";
import { checkPrecondition, requireVersion } from "../../versioning/version.ts";
import { changeOwner } from "./change-owner.ts";
import { rowVersion, type RowModel } from "./represent-row.ts";
import { rowEnds } from "./row-id.ts";

/**
 * Deletes a row. Conditions are about the row, not about its owner.
 * @throws ScimError `notFound`, `versionRequired`, `versionMismatch`
 */
export async function deleteRow(
  environment: Environment,
  context: RequestContext,
  { rows, request }: { readonly rows: RowModel; readonly request: DeleteRequest },
): Promise<void> {
  const { model, source } = rows;
  const ends = rowEnds(request.id);
  if (ends === null) throw notFound(model);
  await changeOwner(environment, context, {
    source,
    ends,
    operation: { op: "remove", path: source.path, value: [{ value: ends.value }] },
    check: (_owner, row) => {
      if (row === undefined) throw notFound(model);
      const version = rowVersion(environment, { owner: ends.owner, ...row, display: null });
      if (context.profile.switches.has("require-version")) requireVersion(request.precondition, version);
      checkPrecondition(request.precondition, version);
    },
    ownerless: () => notFound(model),
  });
}
