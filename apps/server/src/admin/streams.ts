/**
 * `/admin/v1/tenants/{tenant}/streams`: receivers of Security Event Tokens; and `/admin/v1/signing-keys`, by which they
 * verify them.
 * @module
 */
import type { CatalogSource } from "@scim/core";
import {
  changeStream,
  createStream,
  decisionOf,
  listSigningKeys,
  PUBLISHED_AHEAD_MS,
  rotateSigningKey,
  rotateStreamToken,
  type SigningKey,
  type StreamPorts,
} from "@scim/events";
import type { TenantStore } from "@scim/tenancy";
import type { FastifyPluginAsync } from "fastify";
import type { Unattributed } from "../delivery/parts.ts";
import { shownReceiver } from "../delivery/shown-receiver.ts";
import { shownKey } from "../delivery/stream-administration.ts";
import { noticesMember, noticesOfWanted } from "../schemas/missing-types.ts";
import { bodyOf, oneOf, orNull, required, text, countUpTo } from "./body.ts";
import { KEY_PAGE, keyPageOf, ofList } from "./key-page.ts";
import { taking } from "./parameters.ts";
import {
  actingFor,
  addReceiverRoutes,
  CHANGE,
  NEW_RECEIVER,
  overlapOf,
  placeOfTenants,
  receiverOf,
} from "./receivers.ts";
import { asks, asksAndTells } from "./rights.ts";

/** What streams are administered with. */
export interface StreamRoutes {
  readonly tenants: Pick<TenantStore, "find">;
  readonly catalog: CatalogSource;
  readonly parts: Unattributed<StreamPorts>;
}

const MINUTE_MS = 60_000;
/** Longest time that a key is published before it signs: one week. */
const MOST_AHEAD = 10_080;
const NEW_STREAM = {
  ...NEW_RECEIVER,
  method: oneOf(["push", "poll"] as const),
  url: text,
  audience: text,
  authorization: text,
};
const STREAM_CHANGE = { ...CHANGE, authorization: orNull(text) };
const NEW_KEY = { aheadMinutes: countUpTo(MOST_AHEAD) };

/** The routes of streams. */
export function streamRoutes({ tenants, catalog, parts }: StreamRoutes): FastifyPluginAsync {
  const place = placeOfTenants("stream");
  const { all, changes } = place;
  return async (instance) => {
    addReceiverRoutes(instance, {
      family: "stream",
      place,
      tenants,
      catalog,
      parts,
      change: async (request, expected) => {
        const change = bodyOf(request, STREAM_CHANGE);
        const receiver = await changeStream(actingFor(parts, request), await expected(), change);
        return { receiver, types: change.types };
      },
    });
    instance.post(all, changes, async (request, reply) => {
      const wanted = bodyOf(request, NEW_STREAM);
      const method = required("method", wanted.method);
      const asked = { ...wanted, tenant: place.tenantOf(request), method };
      const { receiver, token } = await createStream(actingFor(parts, request), asked);
      const shown = await shownReceiver(parts.receivers, receiver);
      const notices = noticesMember(await noticesOfWanted(catalog, receiver.tenant, wanted.types));
      return reply.code(201).send({ ...shown, ...(token === null ? {} : { token }), ...notices });
    });
    instance.post(`${all}/:id/rotate`, changes, async (request) => {
      const [ports, name] = [actingFor(parts, request), receiverOf(place, request)];
      const { receiver, token } = await rotateStreamToken(ports, name, overlapOf(request));
      return { ...(await shownReceiver(parts.receivers, receiver)), token };
    });
  };
}

/** The routes of signing keys. */
export function signingKeyRoutes(parts: Unattributed<StreamPorts>): FastifyPluginAsync {
  return async (instance) => {
    instance.get("/signing-keys", taking(asks("read", "all"), ...KEY_PAGE), async (request) => {
      const all = await listSigningKeys(parts);
      const { rows, next } = await keyPageOf(request, ofList(all, byId), byId);
      return { keys: rows.map(shownKey), next };
    });
    instance.post("/signing-keys/rotate", asksAndTells("own", "all"), async (request, reply) => {
      const { aheadMinutes } = bodyOf(request, NEW_KEY);
      const ahead = aheadMinutes === undefined ? PUBLISHED_AHEAD_MS : aheadMinutes * MINUTE_MS;
      const decision = decisionOf(actingFor(parts, request));
      return reply.code(201).send(shownKey(await rotateSigningKey(parts, ahead, decision)));
    });
  };
}

function byId({ id }: SigningKey): string {
  return id;
}
