/**
 * What the routes of webhooks and of streams share: receivers of events listed, changed, deleted and replayed.
 * @module
 */
import type { CatalogSource } from "@scim/core";
import {
  dropDead,
  findReceiver,
  listDead,
  listReceivers,
  removeReceiver,
  replay,
  withoutWay,
  type Receiver,
  type ReceiverFamily,
  type ReceiverName,
  type ReceiverPorts,
  type ReceiverTarget,
} from "@scim/events";
import { ScimError } from "@scim/schemas";
import { ADMIN_TENANT, hasRight, type TenantStore } from "@scim/tenancy";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HOUR_MS, MOST_OVERLAP_HOURS, OVERLAP_HOURS } from "../delivery/overlap.ts";
import type { Unattributed } from "../delivery/parts.ts";
import { shownReceiver } from "../delivery/shown-receiver.ts";
import { noticesMember, noticesOfWanted } from "../schemas/missing-types.ts";
import { actorOf, pathName } from "./acting.ts";
import { bodyOf, oneOf, text, texts, countUpTo, counts } from "./body.ts";
import { KEY_PAGE, keyPageOf, ofList } from "./key-page.ts";
import { pageOf, POSITION_PAGE, taking, tenantOf } from "./parameters.ts";
import { etagOf, expectedRevision } from "./revision.ts";
import { administratorOfRequest, asks, asksAndTells } from "./rights.ts";

/** How much a receiver is told. */
export const payload = oneOf(["reference", "full"] as const);

/** What every new receiver may state. */
export const NEW_RECEIVER = { types: texts, payload, since: countUpTo() };

/** What changes of every receiver. */
export const CHANGE = { url: text, types: texts, payload, state: oneOf(["active", "paused"] as const) };
const REPLAY = { since: countUpTo(), dead: counts };
const DROP = { dead: counts };
const ROTATION = { overlapHours: countUpTo(MOST_OVERLAP_HOURS) };

/** Whose receivers are administered, and where. */
export interface ReceiverPlace {
  /** The address of all of them. */
  readonly all: string;
  /** The tenant of whose events they are told. */
  readonly tenantOf: (request: FastifyRequest) => string;
  /** Whether that tenant has to be one that was made. */
  readonly isMade: boolean;
  /** What reading, and changing, asks for. */
  readonly reads: ReturnType<typeof asks>;
  readonly changes: ReturnType<typeof asks>;
}

/** The receivers of a family in the tenant that an address names. */
export function placeOfTenants(family: ReceiverFamily): ReceiverPlace {
  return {
    all: `/tenants/:tenant/${family}s`,
    tenantOf,
    isMade: true,
    reads: asks("read"),
    changes: asksAndTells("change"),
  };
}

/** The webhooks that are told of the trail of administration: what administrators do, and what the service notices. */
export const PLACE_OF_TRAIL: ReceiverPlace = {
  all: "/webhooks",
  tenantOf: () => ADMIN_TENANT,
  isMade: false,
  reads: asks("own", "all"),
  changes: asksAndTells("own", "all"),
};

/** What the shared routes work with. */
export interface ReceiverRoutes {
  readonly family: ReceiverFamily;
  readonly place: ReceiverPlace;
  readonly tenants: Pick<TenantStore, "find">;
  readonly catalog: CatalogSource;
  readonly parts: Unattributed<ReceiverPorts>;
  /** Changes the receiver that is expected, as the body says. */
  readonly change: (
    request: FastifyRequest,
    expected: () => Promise<ReceiverTarget>,
  ) => Promise<ChangedReceiver>;
}

/** A receiver that was changed, and the types that were stated with it. */
export interface ChangedReceiver {
  readonly receiver: Receiver;
  readonly types: readonly string[] | undefined;
}

/** Adds the routes that both families have. */
export function addReceiverRoutes(
  instance: FastifyInstance,
  { family, place, tenants, catalog, parts, change }: ReceiverRoutes,
): void {
  const { all, reads, changes } = place;
  const one = `${all}/:id`;
  const { right } = changes.config.asks;
  const shown = async (request: FastifyRequest, receiver: Receiver): Promise<object> => {
    const told = await shownReceiver(parts.receivers, receiver);
    const mayChange = hasRight(administratorOfRequest(request), right, place.tenantOf(request));
    return mayChange ? told : { ...told, url: withoutWay(told.url) };
  };

  instance.addHook("preHandler", async (request) => {
    if (!place.isMade || (await tenants.find(place.tenantOf(request))) !== null) return;
    throw new ScimError("notFound", "There is no such tenant.");
  });
  instance.get(all, taking(reads, ...KEY_PAGE), async (request) => {
    const receivers = await listReceivers(parts, family, place.tenantOf(request));
    const { rows, next } = await keyPageOf(request, ofList(receivers, byId), byId);
    return { [`${family}s`]: await Promise.all(rows.map(async (row) => shown(request, row))), next };
  });
  const named = (request: FastifyRequest): ReceiverName => receiverOf(place, request);
  const expectedOf = async (request: FastifyRequest): Promise<ReceiverTarget> => {
    const name = named(request);
    const expected = expectedRevision(request, await findReceiver(parts, family, name));
    return { family, name, expected };
  };
  // The tag is that of the settings: how far deliveries came changes without it, so that nothing is said to be as it was.
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    receiver: Receiver,
  ): Promise<object> => {
    reply.header("etag", etagOf(receiver.revision));
    return shown(request, receiver);
  };

  instance.get(one, reads, async (request, reply) =>
    answer(request, reply, await findReceiver(parts, family, named(request))),
  );
  instance.patch(one, changes, async (request, reply) => {
    const { receiver, types } = await change(request, () => expectedOf(request));
    const notices = await noticesOfWanted(catalog, receiver.tenant, types);
    return { ...(await answer(request, reply, receiver)), ...noticesMember(notices) };
  });
  instance.delete(one, changes, async (request, reply) => {
    await removeReceiver(actingFor(parts, request), await expectedOf(request));
    return reply.code(204).send();
  });
  instance.get(`${one}/dead`, taking(reads, ...POSITION_PAGE), async (request) => {
    const { since, limit } = pageOf(request);
    const dead = await listDead(parts, { family, name: named(request) }, { after: since ?? 0, limit });
    return { dead, next: dead.at(-1)?.position ?? since ?? 0 };
  });
  instance.post(`${one}/replay`, changes, async (request) => {
    const { since, dead } = bodyOf(request, REPLAY);
    if (since !== undefined && dead !== undefined) {
      throw new ScimError("invalidValue", "Give 'since' or 'dead', not both.");
    }
    const wanted =
      since === undefined
        ? ({ kind: "dead", positions: dead ?? null } as const)
        : ({ kind: "behind", position: since } as const);
    const revived = await replay(actingFor(parts, request), { family, name: named(request) }, wanted);
    return revived === null ? { since } : { revived };
  });
  instance.post(`${one}/drop`, changes, async (request) => {
    const { dead } = bodyOf(request, DROP);
    const target = { family, name: named(request) };
    return { dropped: await dropDead(actingFor(parts, request), target, dead ?? null) };
  });
}

function byId({ id }: Receiver): string {
  return id;
}

/** Parts on behalf of whoever sent a request. */
export function actingFor<Parts extends object>(
  parts: Parts,
  request: FastifyRequest,
): Parts & { readonly actor: ReturnType<typeof actorOf> } {
  return { ...parts, actor: actorOf(request) };
}

/** The receiver that an address names. */
export function receiverOf(place: Pick<ReceiverPlace, "tenantOf">, request: FastifyRequest): ReceiverName {
  return { tenant: place.tenantOf(request), id: pathName(request, "id") };
}

/** How long the old secret stays good, in milliseconds, as a body says. */
export function overlapOf(request: FastifyRequest): number {
  return (bodyOf(request, ROTATION).overlapHours ?? OVERLAP_HOURS) * HOUR_MS;
}
