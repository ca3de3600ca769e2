/**
 * What a webhook says of an event.
 * @module
 */
import type { FeedEvent, ModelCatalog } from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import { modelOrNull } from "../audit/sensitivity.ts";
import type { Receiver } from "../delivery/receiver.ts";
import { shownResource } from "../delivery/shown-resource.ts";

/** Id of the message about an event: the same at every attempt and in every replay, and of no other event. */
export function messageId(
  tenant: string,
  { position, version }: Pick<FeedEvent, "position" | "version">,
): string {
  return `evt_${tenant}_${position}_${version}`;
}

/**
 * The body of a webhook: `type` such as `User.patched`, `timestamp`, and in `data` which resource changed, at which
 * position of the tenant's events, and which attributes. No value of a person is among it, unless the receiver is sent
 * the whole: then the resource without its secrets, and which values came to and went from collections.
 */
export function webhookBody(
  catalog: ModelCatalog,
  { tenant, payload }: Pick<Receiver, "tenant" | "payload">,
  event: FeedEvent,
): JsonObject {
  const { position, connection, kind, type, id, version, changed, collections } = event;
  const about = {
    tenant,
    position,
    connection,
    kind,
    resourceType: type,
    id,
    version,
    changed: [...changed],
  };
  const values = {
    resource: shownResource(event, modelOrNull(catalog, type)),
    collections: collections.map((change) => ({ ...change })),
  };
  const data = payload === "full" ? { ...about, ...values } : about;
  return { type: `${type}.${kind}`, timestamp: event.at, data };
}
