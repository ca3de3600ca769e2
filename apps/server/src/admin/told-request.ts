/**
 * Requests that do something which no transaction of the store holds, such as an erasure or a message to a receiver: told
 * in the trail of administration before they begin, and when it is known what came of them.
 * @module
 */
import { actOf, type AdminAct, type AdminTrail } from "@scim/tenancy";
import type { FastifyReply, FastifyRequest } from "fastify";
import { instantNow } from "../sources.ts";
import { isRandomId } from "../administration/shown.ts";
import { actorOf } from "./acting.ts";
import { notedAdministrator } from "./rights.ts";

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

const begun = new WeakSet<FastifyRequest>();

/** Tells that a request begins whose route does not tell what it changes: method and path, and no value. */
export async function tellBeginning(trail: AdminTrail, request: FastifyRequest): Promise<void> {
  // Nothing begins at an address that nothing is at, and it may hold anything.
  if (request.is404 || notedAdministrator(request) === null) return;
  if (READING.has(request.method) || request.routeOptions.config.asks?.tells === true) return;
  await tell(trail, request, { before: null, after: { method: request.method }, revision: 1 });
  begun.add(request);
}

/** Tells what came of a request whose beginning was told, before its answer is sent. */
export async function tellOutcome(
  trail: AdminTrail,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!begun.delete(request)) return;
  const { method } = request;
  const after = { method, status: reply.statusCode };
  await tell(trail, request, { before: { method }, after, revision: 2 });
}

async function tell(
  trail: AdminTrail,
  request: FastifyRequest,
  states: Pick<AdminAct, "before" | "after" | "revision">,
): Promise<void> {
  const id = toldPath(request);
  await trail.tell(actOf({ actor: actorOf(request), now: instantNow }, { type: "Request", id, ...states }));
}

/** The path of a request. Who names a person by a name where its id belongs leaves it nowhere. */
function toldPath({ url, routeOptions }: FastifyRequest): string {
  const [path = ""] = url.split("?", 1);
  const person = routeOptions.config.asks?.person;
  if (person === undefined) return path;
  const pattern = (routeOptions.url ?? "").split("/");
  const isTold = (segment: string): boolean => person === "id" && isRandomId(segment);
  return path
    .split("/")
    .map((segment, at) => (pattern[at] === ":id" && !isTold(segment) ? ":id" : segment))
    .join("/");
}
