/**
 * `/admin/v1/tenants/{tenant}/webhooks`: who is told of a tenant's events.
 * @module
 */
import {
  changeReceiver,
  createWebhook,
  findReceiver,
  listDead,
  listReceivers,
  removeReceiver,
  replay,
  rotateWebhookSecret,
  testWebhook,
  type Receiver,
  type ReceiverName,
  type WebhookTest,
} from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { TenantStore } from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { shownReceiver } from "../delivery/shown-receiver.ts";
import { BodyMembers } from "./members.ts";
import { pageOf, tenantOf } from "./page-parameters.ts";
import { asks } from "./rights.ts";

/** What webhooks are administered with. */
export interface WebhookRoutes {
  readonly tenants: Pick<TenantStore, "find">;
  readonly parts: WebhookTest;
}

const HOUR_MS = 3_600_000;
/** Hours that a secret stays good behind a new one, and the longest (30 days). */
const OVERLAP_HOURS = 24;
const MOST_OVERLAP = 720;
const PAYLOADS = ["reference", "full"] as const;
const BASE = "/tenants/:tenant/webhooks";
const ONE = `${BASE}/:id`;
const KIND = "webhook";

/** The routes of webhooks. */
export function webhookRoutes({ tenants, parts }: WebhookRoutes): FastifyPluginAsync {
  const shown = (receiver: Receiver): Promise<object> => shownReceiver(parts.receivers, receiver);

  return async (instance) => {
    instance.addHook("preHandler", async (request) => {
      if ((await tenants.find(tenantOf(request))) !== null) return;
      throw new ScimError("notFound", "There is no such tenant.");
    });

    instance.get(BASE, asks("read"), async (request) => {
      const receivers = await listReceivers(parts, KIND, tenantOf(request));
      return { webhooks: await Promise.all(receivers.map(shown)) };
    });
    instance.post(BASE, asks("change"), async (request, reply) => {
      const body = new BodyMembers(request.body, ["url", "types", "payload", "since"]);
      const url = body.text("url");
      if (url === undefined) throw new ScimError("invalidValue", "The member 'url' is required.");
      const made = await createWebhook(parts, {
        tenant: tenantOf(request),
        url,
        types: body.texts("types"),
        payload: body.word("payload", PAYLOADS),
        since: body.count("since"),
      });
      return reply.code(201).send({ ...(await shown(made.receiver)), secret: made.secret });
    });
    instance.get(ONE, asks("read"), async (request) =>
      shown(await findReceiver(parts, KIND, nameOf(request))),
    );
    instance.patch(ONE, asks("change"), async (request) => {
      const body = new BodyMembers(request.body, ["url", "types", "payload", "state"]);
      const change = {
        url: body.text("url"),
        types: body.texts("types"),
        payload: body.word("payload", PAYLOADS),
        state: body.word("state", ["active", "paused"]),
      };
      return shown(await changeReceiver(parts, { kind: KIND, name: nameOf(request) }, change));
    });
    instance.delete(ONE, asks("change"), async (request, reply) => {
      await removeReceiver(parts, KIND, nameOf(request));
      return reply.code(204).send();
    });
    instance.post(`${ONE}/rotate`, asks("change"), async (request) => {
      const body = new BodyMembers(request.body, ["overlapHours"]);
      const overlap = (body.count("overlapHours", MOST_OVERLAP) ?? OVERLAP_HOURS) * HOUR_MS;
      const made = await rotateWebhookSecret(parts, nameOf(request), overlap);
      return { ...(await shown(made.receiver)), secret: made.secret };
    });
    instance.post(`${ONE}/test`, asks("change"), async (request) => testWebhook(parts, nameOf(request)));
    instance.get(`${ONE}/dead`, asks("read"), async (request) => {
      const { since, limit } = pageOf(request);
      const which = { kind: KIND, name: nameOf(request) } as const;
      const dead = await listDead(parts, which, { after: since ?? 0, limit });
      return { dead, next: dead.at(-1)?.position ?? since ?? 0 };
    });
    instance.post(`${ONE}/replay`, asks("change"), async (request) => {
      const body = new BodyMembers(request.body, ["since", "dead"]);
      const [since, dead] = [body.count("since"), body.counts("dead")];
      if (since !== undefined && dead !== undefined) {
        throw new ScimError("invalidValue", "Give 'since' or 'dead', not both.");
      }
      const name = nameOf(request);
      const wanted =
        since === undefined
          ? ({ kind: "dead", positions: dead ?? null } as const)
          : ({ kind: "behind", position: since } as const);
      const revived = await replay(parts, { kind: KIND, name }, wanted);
      return revived === null ? { since } : { revived };
    });
  };
}

function nameOf(request: FastifyRequest): ReceiverName {
  const { params } = request;
  const id = typeof params === "object" && params !== null && "id" in params ? params.id : null;
  return { tenant: tenantOf(request), id: typeof id === "string" ? id : "" };
}
