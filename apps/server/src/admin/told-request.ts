/**
 * Requests that change something, told in the trail of administration where their routes do not tell it themselves.
 * @module
 */
import { actOf, type AdminTrail } from "@scim/tenancy";
import type { FastifyReply, FastifyRequest } from "fastify";
import { instantNow } from "../sources.ts";
import { actorOf } from "./acting.ts";
import { notedAdministrator } from "./rights.ts";

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Tells a request that succeeded, before its answer is sent: method and path, and no value. */
export async function tellRequest(
  trail: AdminTrail,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const isDone = reply.statusCode < 400 && !READING.has(request.method);
  if (!isDone || request.routeOptions.config.asks?.tells === true) return;
  if (notedAdministrator(request) === null) return;
  const [path = ""] = request.url.split("?", 1);
  const after = { method: request.method, status: reply.statusCode };
  const told = { type: "Request", id: path, before: null, after, revision: 1 };
  await trail.tell(actOf({ actor: actorOf(request), now: instantNow }, told));
}
