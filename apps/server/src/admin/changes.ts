/**
 * `GET /admin/v1/tenants/{tenant}/changes`, also `GET /admin/v1/changes?tenant=`: what happened to a tenant's resources,
 * as a page of JSON or, for who accepts `text/event-stream`, live.
 * @module
 */
import type { EventFeed } from "@scim/core";
import { PositionGone } from "@scim/events";
import { statusResponse, type TextResponse } from "@scim/http";
import { onceOver } from "@scim/http/node";
import { ERROR_URN, ScimError } from "@scim/schemas";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { lastChanges } from "../last-changes.ts";
import { AGAIN_SECONDS, createPlaces, type Places } from "../places.ts";
import { endOfAdmission } from "./admission.ts";
import { awaitedChanges, openEventStream } from "./event-stream.ts";
import { LAST_OR_PAGE, lastOf, pageOf, taking, tenantOf, waitOf, type PositionPage } from "./parameters.ts";
import { send } from "./plugin.ts";
import { createFollowingTurns, newTurn, readingTurnOf } from "./reading-turns.ts";
import { administratorOfRequest, asks } from "./rights.ts";

/** What the change feed is served with. */
export interface ChangeFeedOptions {
  readonly events: Pick<EventFeed, "read" | "head">;
  /** Milliseconds between two looks for what is new, for each client that follows. Default 500. */
  readonly interval?: number;
}

const INTERVAL_MS = 500;
/** Changes that one administrator may follow, or wait for, at the same time, in each process. */
const MOST_FOLLOWED = 100;
const EVENT_STREAM = /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i;

/** The routes of the change feed. */
export function changeRoutes({ events, interval = INTERVAL_MS }: ChangeFeedOptions): FastifyPluginAsync {
  return async (instance) => {
    // Streams would otherwise hold up the end of the server for ever.
    const stopping = new AbortController();
    const places = createPlaces(MOST_FOLLOWED);
    const turns = createFollowingTurns();
    instance.addHook("preClose", async () => stopping.abort());
    /** What a reader has not taken by then it asks for again: who takes nothing would hold the end up all the same. */
    const cutWhereBehind = (reply: FastifyReply): void => {
      const { raw } = reply;
      const cut = (): void => void (raw.writableNeedDrain && raw.destroy());
      stopping.signal.addEventListener("abort", cut);
      onceOver(reply.raw, () => stopping.signal.removeEventListener("abort", cut));
    };

    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const tenant = tenantOf(request);
      const turn = readingTurnOf(request);
      const page = pageOf(request);
      try {
        const last = lastOf(request);
        if (last !== null) return await lastChanges(events, tenant, last);
        const following = {
          ...page,
          interval,
          signal: AbortSignal.any([stopping.signal, endOfAdmission(request, reply, interval)]),
        };
        const wait = EVENT_STREAM.test(request.headers.accept ?? "") ? null : waitOf(request);
        if (wait !== 0) takePlace(places, request, reply);
        if (wait !== null) return await awaitedChanges(events, tenant, { ...following, wait, turn });
        const since = resumedAt(request, page);
        // Who reads a page does not wait for what follows.
        turn.end();
        const ownTurn = newTurn(turns, request, following.signal);
        const stream = await openEventStream(events, tenant, { ...following, since, turn: ownTurn });
        cutWhereBehind(reply);
        return await reply
          .headers({
            "content-type": "text/event-stream",
            "cache-control": "no-store",
            "x-accel-buffering": "no",
          })
          .send(stream);
      } catch (error) {
        if (error instanceof PositionGone) return send(reply, gone(error));
        throw error;
      }
    };
    const taken = [...LAST_OR_PAGE, "wait"];
    instance.get("/tenants/:tenant/changes", taking(asks("readPersons"), ...taken), answer);
    instance.get("/changes", taking(asks("readPersons"), "tenant", ...taken), answer);
  };
}

/**
 * Takes a place until the answer is over.
 * @throws ScimError `tooManyRequests`
 */
function takePlace(places: Places, request: FastifyRequest, reply: FastifyReply): void {
  const leave = places.enter(administratorOfRequest(request).credential);
  if (leave !== null) return onceOver(reply.raw, leave);
  throw new ScimError(
    "tooManyRequests",
    `${MOST_FOLLOWED} requests of this administrator wait for changes already; end one, or send it again in ${AGAIN_SECONDS} s.`,
    { headers: { "retry-after": AGAIN_SECONDS } },
  );
}

/**
 * A client that lost its connection says with `Last-Event-ID` which event it had seen; who has seen none leaves it empty.
 * @throws ScimError `invalidValue`: begun elsewhere, the stream would leave events out, or repeat them all
 */
function resumedAt({ headers }: FastifyRequest, { since }: PositionPage): number | null {
  const last = String(headers["last-event-id"] ?? "");
  if (last === "") return since;
  if (/^[0-9]{1,15}$/.test(last)) return Number(last);
  throw new ScimError("invalidValue", "The header 'Last-Event-ID' must be the position of an event.");
}

function gone(error: PositionGone): TextResponse {
  const { status, headers } = statusResponse(410, error.message);
  const body = { schemas: [ERROR_URN], status: "410", detail: error.message, oldestPosition: error.oldest };
  return { status, headers, body: JSON.stringify(body) };
}
