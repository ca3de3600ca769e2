/**
 * The claims of a Security Event Token (RFC 8417) about a change, as RFC 9967 has them.
 * @module
 */
import { entityTag, type FeedEvent, type ModelCatalog } from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import { modelOrNull } from "../audit/sensitivity.ts";
import type { Receiver } from "../delivery/receiver.ts";
import { messageId } from "../webhooks/message.ts";
import { ACTIVATE_URI, changeUri, DEACTIVATE_URI, DELETE_URI, type ToldChange } from "./event-uris.ts";
import { patchOf, representationOf, type RepresentedChange } from "./full-data.ts";

/** What claims are made with. */
export interface ClaimParts {
  readonly catalog: ModelCatalog;
  /** The issuer of a tenant: its SCIM base address. */
  readonly issuerOf: (tenant: string) => string;
}

/** Whom a token is for, and how much it may tell. */
export type TokenReceiver = Pick<Receiver, "tenant" | "id" | "payload" | "audience" | "url">;

/**
 * Id of the token about an event for one receiver: the same whenever it is sent. The transaction (`txn`) is the same for
 * all receivers.
 */
export function tokenId(
  receiver: string,
  { position, version }: Pick<FeedEvent, "position" | "version">,
): string {
  return `${receiver}_${position}_${version}`;
}

/** The position of the event that a token id names, where it is one of a receiver. */
export function positionOfTokenId(receiver: string, jti: string): number | null {
  const [id, position = "", version] = jti.split("_", 3);
  return id === receiver && version !== undefined && /^[0-9]{1,15}$/.test(position) ? Number(position) : null;
}

/**
 * The claims. Without `sub` and `exp`: the subject is in `sub_id`, and what happened does not expire. `iat` is the time of
 * the event, so that a token that is sent again says the same. `externalId` is a value of a person, and told in full
 * tokens alone.
 */
export function claimsOf(
  { catalog, issuerOf }: ClaimParts,
  receiver: TokenReceiver,
  event: FeedEvent,
): JsonObject {
  const { tenant, id, payload, audience, url } = receiver;
  const model = modelOrNull(catalog, event.type);
  const endpoint = model?.endpoints.get(event.type) ?? `/${event.type}`;
  const uri = `${endpoint}/${event.id}`;
  const location = `${issuerOf(tenant)}${uri}`;
  const externalId = (event.after ?? event.before)?.["externalId"];
  return {
    iss: issuerOf(tenant),
    iat: Math.floor(Date.parse(event.at) / 1000),
    jti: tokenId(id, event),
    txn: messageId(tenant, event),
    aud: audience ?? url,
    sub_id: {
      format: "scim",
      uri,
      id: event.id,
      ...(payload === "full" && typeof externalId === "string" ? { externalId } : {}),
    },
    events: { ...changePayload({ event, model, location }, payload), ...activity(event) },
  };
}

const CHANGES: Readonly<Record<Exclude<FeedEvent["kind"], "deleted">, ToldChange>> = {
  created: "create",
  patched: "patch",
  replaced: "put",
};

/** Exactly one of `data` and `attributes` (RFC 9967 §2.2). */
function changePayload(change: RepresentedChange, payload: Receiver["payload"]): JsonObject {
  const { event } = change;
  if (event.kind === "deleted") return { [DELETE_URI]: {} };
  const told = CHANGES[event.kind];
  const version = entityTag(event.version);
  const data = payload === "full" ? dataOf(change) : null;
  return data === null
    ? { [changeUri(told, "notice")]: { attributes: [...event.changed], version } }
    : { [changeUri(told, "full")]: { data, version } };
}

function dataOf(change: RepresentedChange): JsonObject | null {
  const { event, model } = change;
  return event.kind === "patched" ? patchOf(event, model) : representationOf(change);
}

/** Told with the change that made it so, about the same resource (RFC 9967 §2). */
function activity({ kind, before, after }: FeedEvent): JsonObject {
  if ((kind !== "patched" && kind !== "replaced") || before === null || after === null) return {};
  const [was, is] = [before["active"], after["active"]];
  if (was === is || (was !== false && is !== false)) return {};
  return { [is === false ? DEACTIVATE_URI : ACTIVATE_URI]: {} };
}
