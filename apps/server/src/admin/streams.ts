/**
 * `/admin/v1/tenants/{tenant}/streams`: receivers of Security Event Tokens; and `/admin/v1/signing-keys`, by which they
 * verify them.
 * @module
 */
import {
  createStream,
  PUBLISHED_AHEAD_MS,
  rotateSigningKey,
  rotateStreamToken,
  type StreamPorts,
} from "@scim/events";
import type { TenantStore } from "@scim/tenancy";
import type { FastifyPluginAsync } from "fastify";
import { shownReceiver } from "../delivery/shown-receiver.ts";
import { shownKey } from "../delivery/stream-administration.ts";
import { bodyOf, oneOf, required, text, countUpTo } from "./body.ts";
import { tenantOf } from "./page-parameters.ts";
import { addReceiverRoutes, addressesOf, NEW_RECEIVER, overlapOf, receiverOf } from "./receivers.ts";
import { asks } from "./rights.ts";

/** What streams are administered with. */
export interface StreamRoutes {
  readonly tenants: Pick<TenantStore, "find">;
  readonly parts: StreamPorts;
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
const NEW_KEY = { aheadMinutes: countUpTo(MOST_AHEAD) };

/** The routes of streams. */
export function streamRoutes({ tenants, parts }: StreamRoutes): FastifyPluginAsync {
  const { all, one } = addressesOf("stream");
  return async (instance) => {
    addReceiverRoutes(instance, { family: "stream", tenants, parts });
    instance.post(all, asks("change"), async (request, reply) => {
      const wanted = bodyOf(request, NEW_STREAM);
      const method = required("method", wanted.method);
      const { receiver, token } = await createStream(parts, { ...wanted, tenant: tenantOf(request), method });
      const shown = await shownReceiver(parts.receivers, receiver);
      return reply.code(201).send(token === null ? shown : { ...shown, token });
    });
    instance.post(`${one}/rotate`, asks("change"), async (request) => {
      const { receiver, token } = await rotateStreamToken(parts, receiverOf(request), overlapOf(request));
      return { ...(await shownReceiver(parts.receivers, receiver)), token };
    });
  };
}

/** The routes of signing keys. */
export function signingKeyRoutes(parts: StreamPorts): FastifyPluginAsync {
  return async (instance) => {
    instance.get("/signing-keys", asks("read", "all"), async () => ({
      keys: (await parts.signingKeys.list()).map(shownKey),
    }));
    instance.post("/signing-keys/rotate", asks("own", "all"), async (request, reply) => {
      const { aheadMinutes } = bodyOf(request, NEW_KEY);
      const ahead = aheadMinutes === undefined ? PUBLISHED_AHEAD_MS : aheadMinutes * MINUTE_MS;
      return reply.code(201).send(shownKey(await rotateSigningKey(parts, ahead)));
    });
  };
}
