/**
 * What the routes of webhooks and of streams share: receivers of a tenant's events listed, changed, deleted and replayed.
 * @module
 */
import {
  changeReceiver,
  findReceiver,
  listDead,
  listReceivers,
  removeReceiver,
  replay,
  type Receiver,
  type ReceiverFamily,
  type ReceiverName,
  type ReceiverPorts,
  type ReceiverTarget,
} from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { TenantStore } from "@scim/tenancy";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { shownReceiver } from "../delivery/shown-receiver.ts";
import { pathName } from "./acting.ts";
import { bodyOf, oneOf, text, texts, countUpTo, counts } from "./body.ts";
import { pageOf, tenantOf } from "./page-parameters.ts";
import { etagOf, expectedRevision } from "./revision.ts";
import { asks } from "./rights.ts";

const HOUR_MS = 3_600_000;
/** Hours that a secret stays good behind a new one, and the longest (30 days). */
const OVERLAP_HOURS = 24;
const MOST_OVERLAP = 720;

/** How much a receiver is told. */
export const payload = oneOf(["reference", "full"] as const);

/** What every new receiver may state. */
export const NEW_RECEIVER = { types: texts, payload, since: countUpTo() };

const CHANGE = { url: text, types: texts, payload, state: oneOf(["active", "paused"] as const) };
const REPLAY = { since: countUpTo(), dead: counts };
const ROTATION = { overlapHours: countUpTo(MOST_OVERLAP) };

/** What the shared routes work with. */
export interface ReceiverRoutes {
  readonly family: ReceiverFamily;
  readonly tenants: Pick<TenantStore, "find">;
  readonly parts: ReceiverPorts;
}

/** The addresses of a family. */
export function addressesOf(family: ReceiverFamily): { readonly all: string; readonly one: string } {
  const all = `/tenants/:tenant/${family}s`;
  return { all, one: `${all}/:id` };
}

/** Adds the routes that both families have. */
export function addReceiverRoutes(
  instance: FastifyInstance,
  { family, tenants, parts }: ReceiverRoutes,
): void {
  const { all, one } = addressesOf(family);
  const shown = async (receiver: Receiver): Promise<object> => shownReceiver(parts.receivers, receiver);

  instance.addHook("preHandler", async (request) => {
    if ((await tenants.find(tenantOf(request))) !== null) return;
    throw new ScimError("notFound", "There is no such tenant.");
  });
  instance.get(all, asks("read"), async (request) => {
    const receivers = await listReceivers(parts, family, tenantOf(request));
    return { [`${family}s`]: await Promise.all(receivers.map(shown)) };
  });
  const expectedOf = async (request: FastifyRequest): Promise<ReceiverTarget> => {
    const name = receiverOf(request);
    const expected = expectedRevision(request, await findReceiver(parts, family, name));
    return { family, name, expected };
  };
  // The tag is that of the settings: how far deliveries came changes without it, so that nothing is said to be as it was.
  const answer = async (reply: FastifyReply, receiver: Receiver): Promise<object> => {
    reply.header("etag", etagOf(receiver.revision));
    return shown(receiver);
  };

  instance.get(one, asks("read"), async (request, reply) =>
    answer(reply, await findReceiver(parts, family, receiverOf(request))),
  );
  instance.patch(one, asks("change"), async (request, reply) => {
    const change = bodyOf(request, CHANGE);
    return answer(reply, await changeReceiver(parts, await expectedOf(request), change));
  });
  instance.delete(one, asks("change"), async (request, reply) => {
    await removeReceiver(parts, await expectedOf(request));
    return reply.code(204).send();
  });
  instance.get(`${one}/dead`, asks("read"), async (request) => {
    const { since, limit } = pageOf(request);
    const dead = await listDead(parts, { family, name: receiverOf(request) }, { after: since ?? 0, limit });
    return { dead, next: dead.at(-1)?.position ?? since ?? 0 };
  });
  instance.post(`${one}/replay`, asks("change"), async (request) => {
    const { since, dead } = bodyOf(request, REPLAY);
    if (since !== undefined && dead !== undefined) {
      throw new ScimError("invalidValue", "Give 'since' or 'dead', not both.");
    }
    const wanted =
      since === undefined
        ? ({ kind: "dead", positions: dead ?? null } as const)
        : ({ kind: "behind", position: since } as const);
    const revived = await replay(parts, { family, name: receiverOf(request) }, wanted);
    return revived === null ? { since } : { revived };
  });
}

/** The receiver that an address names. */
export function receiverOf(request: FastifyRequest): ReceiverName {
  return { tenant: tenantOf(request), id: pathName(request, "id") };
}

/** How long the old secret stays good, in milliseconds, as a body says. */
export function overlapOf(request: FastifyRequest): number {
  return (bodyOf(request, ROTATION).overlapHours ?? OVERLAP_HOURS) * HOUR_MS;
}
