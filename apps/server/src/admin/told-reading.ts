/**
 * Reading of what is kept of persons, told in the trail of administration before it begins. Programs that follow the change
 * feed ask again and again: the first request of an hour stands for those behind it, or the trail would hold nothing else.
 * @module
 */
import { isScimError } from "@scim/schemas";
import { actOf, type AdminTrail } from "@scim/tenancy";
import type { FastifyRequest } from "fastify";
import { instantNow } from "../sources.ts";
import { actorOf } from "./acting.ts";
import { tenantOf } from "./parameters.ts";
import { notedAdministrator } from "./rights.ts";

/** Milliseconds that one entry stands for (one hour). */
const STANDS_FOR_MS = 3_600_000;

/** Tells what an administrator reads of the persons of a tenant; where the database takes no writes, the log alone is told. */
export function createReadingTeller(
  trail: AdminTrail,
  now: () => number = Date.now,
): (request: FastifyRequest) => Promise<void> {
  const told = new Map<string, number>();
  return async (request) => {
    const administrator = notedAdministrator(request);
    if (administrator === null || request.routeOptions.config.asks?.right !== "readPersons") return;
    const tenant = tenantOf(request);
    const [path = ""] = request.url.split("?", 1);
    const reading = JSON.stringify([administrator.name, administrator.credential, tenant]);
    for (const [earlier, at] of told) if (Math.abs(now() - at) >= STANDS_FOR_MS) told.delete(earlier);
    if (told.has(reading)) return;
    told.set(reading, now());
    const states = { before: null, after: { method: request.method, tenant }, revision: 1 };
    const act = actOf({ actor: actorOf(request), now: instantNow }, { type: "Request", id: path, ...states });
    try {
      await trail.tell(act);
    } catch (error) {
      told.delete(reading);
      if (!isScimError(error)) throw error;
      request.log.warn({ err: error, tenant }, "what an administrator reads is not in the audit log");
    }
  };
}
