/**
 * Lets those who read long lists wait for each other: a page of a thousand entries keeps the thread busy for some ten milliseconds,
 * and whoever asks for forty of them at once would have all tenants of the server wait for these.
 * @module
 */
import { Turns } from "@scim/core";
import { abortedWith } from "@scim/http/node";
import { ScimError } from "@scim/schemas";
import { ADMIN_TENANT } from "@scim/tenancy";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isPage } from "./parameters.ts";
import { administratorOfRequest } from "./rights.ts";

/** Pages that are read at the same time, in each process. */
const AT_ONCE = 3;
/** Requests that wait, half of them of one tenant. */
const WAITING = 64;

/** The turns of pages: one for the administrators of each tenant, and one for those of all tenants. */
export function createReadingTurns(): Turns {
  return new Turns({
    atOnce: AT_ONCE,
    perTenant: () => 1,
    waiting: WAITING,
    patience: null,
    refusal: "Too many lists are being read now. Try again, or ask for them one after another.",
  });
}

/**
 * The turns of those who follow changes and are behind: one for the administrators of each tenant, and one for those of all tenants. All
 * that are open may wait, as they began already; pages do not wait for them.
 */
export function createFollowingTurns(): Turns {
  return new Turns({
    atOnce: AT_ONCE,
    perTenant: () => 1,
    waiting: Number.POSITIVE_INFINITY,
    patience: null,
    refusal: "Too many follow changes now. Try again.",
  });
}

/** The turn of a request. */
export interface ReadingTurn {
  /**
   * Waits for it, behind those who wait already.
   * @throws ScimError `unavailable` where too many wait, or the client went away
   */
  readonly take: () => Promise<void>;
  /** Gives it to others, once what came meanwhile has begun; nothing where it is not held. */
  readonly end: () => void;
}

/** What is read where nobody waits for the thread. */
const ALONE: ReadingTurn = { take: async () => undefined, end: () => undefined };

const noted = new WeakMap<FastifyRequest, ReadingTurn>();

/**
 * Notes the turn of a request, and waits for it where it asks for a page. It ends with the answer, or earlier.
 * @throws ScimError `unavailable`
 */
export async function noteReadingTurn(
  turns: Turns,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const turn = newTurn(turns, request, abortedWith(reply.raw));
  noted.set(request, turn);
  if (isPage(request)) await turn.take();
}

/** The turn of a request, for what reads long, or waits for something else than the thread meanwhile. */
export function readingTurnOf(request: FastifyRequest): ReadingTurn {
  return noted.get(request) ?? ALONE;
}

/** A turn for a request, which the signal ends, also where it is waited for. */
export function newTurn(turns: Turns, request: FastifyRequest, signal: AbortSignal): ReadingTurn {
  const whose = administratorOfRequest(request).tenant ?? ADMIN_TENANT;
  let held: (() => void) | null = null;
  const end = (): void => {
    // What came meanwhile comes first.
    if (held !== null) setImmediate(held);
    held = null;
  };
  // Where the client is gone by then, no answer is made.
  signal.addEventListener("abort", end);
  return {
    end,
    take: async () => {
      try {
        held = await turns.take(whose, signal);
        signal.throwIfAborted();
      } catch (cause) {
        end();
        if (!signal.aborted) throw cause;
        throw new ScimError("unavailable", "The client went away before its answer.", { cause });
      }
    },
  };
}
