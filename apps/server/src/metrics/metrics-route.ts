/**
 * `/metrics`: what Prometheus reads.
 * @module
 */
import { errorResponse } from "@scim/http";
import { isScimError } from "@scim/schemas";
import type { FastifyInstance } from "fastify";
import { send } from "../admin/plugin.ts";
import type { AdminRequest } from "../admin/require-admin.ts";
import type { Metrics } from "./metrics.ts";

/** Where metrics are served. */
const METRICS_PATH = "/metrics";

/** What the address is made of. */
export interface MetricsRouteOptions {
  readonly metrics: Pick<Metrics, "text" | "contentType">;
  /** Rejects with a ScimError where a request may not read them. */
  readonly admit: (request: Omit<AdminRequest, "limiter">) => Promise<unknown>;
}

/** Adds the address to an application. */
export function addMetricsRoute(app: FastifyInstance, { metrics, admit }: MetricsRouteOptions): void {
  app.get(METRICS_PATH, async (request, reply) => {
    try {
      const { id, ip: address, headers } = request;
      await admit({ authorization: headers.authorization, address, id });
    } catch (error) {
      if (isScimError(error)) return send(reply, errorResponse(error));
      throw error;
    }
    const text = await metrics.text();
    return reply.type(metrics.contentType).send(text);
  });
}
