/**
 * Deletes a resource (RFC 7644 §3.6). References to it stay: their consistency is the clients'.
 * @module
 */
import type { RequestContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import { NO_SELECTION } from "../projection/read-selection.ts";
import { deleteRow } from "./rows/delete-row.ts";
import type { DeleteRequest } from "../requests.ts";
import { changeResource } from "./change-resource.ts";
import { writeInstant } from "./write-instant.ts";

/** Deletes a resource. */
export async function deleteResource(
  environment: Environment,
  context: RequestContext,
  request: DeleteRequest,
): Promise<void> {
  const model = environment.catalog.model(request.type);
  if (model.rows !== null)
    return deleteRow(environment, context, { rows: { model, source: model.rows }, request });
  const { sources } = environment;
  await changeResource(environment, context, {
    model,
    id: request.id,
    precondition: request.precondition,
    select: NO_SELECTION,
    plan: (stored) => ({
      plan: {
        kind: "delete",
        type: model.name,
        id: stored.id,
        at: writeInstant(sources, stored),
        nonce: sources.newNonce(),
        expectedVersion: stored.version,
        event: { kind: "deleted", subject: context.subject, origin: context.origin, changed: [] },
      },
      next: null,
      outcome: () => undefined,
    }),
  });
}
