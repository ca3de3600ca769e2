/**
 * Reads one row.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { notFound } from "../refusals.ts";
import { selectAttributes } from "../../projection/selection.ts";
import type { NotModifiedAnswer, ResourceAnswer } from "../../answers.ts";
import type { ReadRequest } from "../../requests.ts";
import type { ReferenceRow } from "../../store/reference-rows.ts";
import { scopeOf } from "../../store/scope.ts";
import { isCurrent } from "../../versioning/version.ts";
import { rowAnswer, type RowModel } from "./represent-row.ts";
import { rowEnds } from "./row-id.ts";

/** Answers the row, or that the client's copy is current. */
export async function readRow(
  environment: Environment,
  context: RequestContext,
  { rows, request }: { readonly rows: RowModel; readonly request: ReadRequest },
): Promise<ResourceAnswer | NotModifiedAnswer> {
  const { model } = rows;
  const selection = selectAttributes(model, request, context);
  const row = await findRow(environment, context, { rows, id: request.id });
  if (row === null) throw notFound(model);
  const answer = rowAnswer(environment, context, { row, rows, selection });
  const { version, location } = answer;
  return isCurrent(request.precondition, version) ? { kind: "notModified", version, location } : answer;
}

async function findRow(
  environment: Environment,
  context: RequestContext,
  { rows, id }: { readonly rows: RowModel; readonly id: string },
): Promise<ReferenceRow | null> {
  const ends = rowEnds(id);
  if (ends === null) return null;
  const { type, path, displayKey } = rows.source;
  const [row] = await environment.store.referenceRows(scopeOf(context), {
    type,
    path,
    ...ends,
    displayKey,
    descending: false,
    after: null,
    offset: 0,
    limit: 1,
  });
  return row ?? null;
}
