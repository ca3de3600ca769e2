/**
 * Who may read the metrics: administrators, also of a database that cannot say who they are now.
 * @module
 */
import { createHash } from "node:crypto";
import type { Authenticator } from "@scim/core";
import { isScimError } from "@scim/schemas";
import { requireAdmin, type AdminRequest } from "../admin/require-admin.ts";
import { requireRightOverAll } from "../admin/rights.ts";
import { inTime } from "../in-time.ts";
import type { MetricsRouteOptions } from "./metrics-route.ts";

/** How long ago a reader may have been let in last, in milliseconds (an hour). */
const REMEMBERED = 3_600_000;

/** Milliseconds that the database has to say who one of them is now. */
const LOOKUP_MS = 400;

/** What readers are told by. */
export interface MetricsReadersOptions {
  readonly authenticate: Authenticator;
  /** Counts who is refused. */
  readonly limiter: AdminRequest["limiter"];
  /** Milliseconds, which grow. */
  readonly now: () => number;
}

/**
 * Lets administrators read metrics. While the database does not answer, or not soon, those who read them within the last hour
 * go on reading: that it does not answer is what they are there to learn.
 */
export function admitReaders({
  authenticate,
  limiter,
  now,
}: MetricsReadersOptions): MetricsRouteOptions["admit"] {
  const readers = new Map<string, number>();
  const lookUp = async (
    request: Parameters<MetricsRouteOptions["admit"]>[0],
    reader: string,
  ): Promise<void> => {
    try {
      const administrator = await requireAdmin({ ...request, limiter }, authenticate);
      // Metrics tell of all tenants.
      requireRightOverAll(administrator, "read");
    } catch (error) {
      if (isScimError(error) && error.status < 500) readers.delete(reader);
      if (!readers.has(reader)) throw error;
    }
    readers.set(reader, now());
  };
  return async (request) => {
    for (const [reader, last] of readers) if (last + REMEMBERED < now()) readers.delete(reader);
    const reader = digestOf(request);
    const lookedUp = lookUp(request, reader);
    const late = (): void => void readers.set(reader, now());
    await (readers.has(reader) ? inTime(lookedUp, { most: LOOKUP_MS, late }) : lookedUp);
  };
}

/** A token is kept nowhere. */
function digestOf({ authorization = "" }: Pick<AdminRequest, "authorization">): string {
  return createHash("sha256").update(authorization).digest("base64url");
}
