/**
 * Reads one resource (RFC 7644 §3.4.1).
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { boundedSelection, isWhole } from "../projection/bounded-selection.ts";
import { readSelection } from "../projection/read-selection.ts";
import { locationOf } from "../projection/addresses.ts";
import { selectAttributes } from "../projection/selection.ts";
import type { NotModifiedAnswer, ResourceAnswer } from "../answers.ts";
import type { ReadRequest } from "../requests.ts";
import { readRow } from "./rows/read-row.ts";
import { isCurrent } from "../versioning/version.ts";
import { answerWith, answerWithText, versionOf } from "./answer.ts";
import { answerOneLong } from "./long-collections.ts";
import { notFound } from "./refusals.ts";
import { scopeOf } from "../store/scope.ts";

/** Answers the resource, or that the client's copy is current. */
export async function readResource(
  environment: Environment,
  context: RequestContext,
  request: ReadRequest,
): Promise<ResourceAnswer | NotModifiedAnswer> {
  const model = environment.catalog.model(request.type);
  if (model.rows !== null)
    return readRow(environment, context, { rows: { model, source: model.rows }, request });
  const selection = selectAttributes(model, request, context);
  const select = boundedSelection(
    environment,
    request,
    readSelection(model, selection, environment.limits.groups),
  );
  const { store } = environment;
  const target = { type: model.name, id: request.id };
  const stored =
    store.readText === undefined || request.asText !== true
      ? await store.read(scopeOf(context), target, select)
      : await store.readText(scopeOf(context), target, select);
  if (stored === null) throw notFound(model);
  const { precondition } = request;
  if (precondition.ifMatch !== null || precondition.ifNoneMatch !== null) {
    const version = versionOf(environment, stored);
    if (isCurrent(precondition, version)) {
      return { kind: "notModified", version, location: locationOf(model, stored.id, context.baseUrl) };
    }
  }
  if (isWhole(stored, select)) {
    return "text" in stored
      ? answerWithText(environment, { model, stored, selection }, context)
      : answerWith(environment, { model, stored, selection }, context);
  }
  const long = await answerOneLong(environment, context, { model, selection, select, id: stored.id });
  if (long === null) throw notFound(model);
  return long;
}
