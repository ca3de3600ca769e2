/**
 * `/admin/v1/tenants/{tenant}/guard`: the changes that guards hold, listed, released and dismissed.
 * @module
 */
import type { HeldChange, HeldChoice } from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { decideHeld, type HeldDecision } from "../administration/held-changes.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { instantNow } from "../sources.ts";
import { actorOf } from "./acting.ts";
import { bodyOf, text } from "./body.ts";
import { requireFilteredConnection } from "./filtered-connection.ts";
import { KEY_PAGE, keyPageOf, type ReadKeyPage } from "./key-page.ts";
import { parameterOf, taking, tenantOf } from "./parameters.ts";
import { asks, asksAndTells } from "./rights.ts";

const ALL = "/tenants/:tenant/guard";

/** The routes of the guard. */
export function guardRoutes({ store }: OpenedStore): FastifyPluginAsync {
  const { guard } = store;
  const decide = (request: FastifyRequest, how: HeldDecision): Promise<number> => {
    const decision = { actor: actorOf(request), at: instantNow() };
    return decideHeld(store, { tenant: tenantOf(request), how, which: choiceOf(request), decision });
  };
  return async (instance) => {
    instance.get(ALL, taking(asks("read"), "connection", ...KEY_PAGE), async (request) => {
      const tenant = tenantOf(request);
      const connection = parameterOf(request, "connection") ?? undefined;
      const read: ReadKeyPage<HeldChange> = ({ after, count }) =>
        guard.held(tenant, { connection, after, limit: count });
      const { rows, next } = await keyPageOf(request, read, ({ id }) => id);
      const behind = parameterOf(request, "after");
      await requireFilteredConnection(store, { tenant, connection, rows, behind });
      return { held: rows, next };
    });
    instance.post(`${ALL}/release`, asksAndTells("change"), async (request) => ({
      released: await decide(request, "release"),
    }));
    instance.post(`${ALL}/dismiss`, asksAndTells("change"), async (request) => ({
      dismissed: await decide(request, "dismiss"),
    }));
  };
}

function choiceOf(request: FastifyRequest): HeldChoice {
  const { id, connection } = bodyOf(request, { id: text, connection: text });
  if (id !== undefined && connection === undefined) return { id };
  if (connection !== undefined && id === undefined) return { connection };
  throw new ScimError("invalidValue", "State either 'id' of a held change, or 'connection' for all of it.");
}
