/**
 * `GET /admin/v1/tenants/{tenant}/requests` and `/runs`: what the clients of a tenant sent, and what came of it.
 * @module
 */
import {
  explainRequest,
  readRequestQuery,
  readRunChanges,
  type RequestLogStore,
  type RunChangesSources,
  type StoredRequest,
} from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { limitOf, parameterOf, pathPart, tenantOf } from "./page-parameters.ts";
import { asks } from "./rights.ts";

/** What the routes read. */
export interface RequestRoutes extends RunChangesSources {
  readonly requests: RequestLogStore;
}

/** The routes of the request log. */
export function requestRoutes(sources: RequestRoutes): FastifyPluginAsync {
  const { requests } = sources;
  return async (instance) => {
    instance.get("/tenants/:tenant/requests", asks("read"), async (request) => {
      const limit = limitOf(request);
      const before = parameterOf(request, "before") ?? undefined;
      const found = await requests.list(tenantOf(request), { ...queryOf(request), before, limit });
      const next = found.length < limit ? null : (found.at(-1)?.id ?? null);
      return { requests: found.map(explained), next };
    });
    instance.get("/tenants/:tenant/requests/:id", asks("read"), async (request) => {
      const found = await requests.find(tenantOf(request), pathPart(request, "id"));
      if (found === null)
        throw new ScimError("notFound", "There is no such request, or it is not kept any more.");
      return explained(found);
    });
    instance.get("/tenants/:tenant/runs", asks("read"), async (request) => {
      const limit = limitOf(request);
      const { connection, since } = queryOf(request);
      return { runs: await requests.runs(tenantOf(request), { connection, since, limit }) };
    });
    instance.get("/tenants/:tenant/runs/:run", asks("read"), async (request) => {
      const tenant = tenantOf(request);
      const [run] = await requests.runs(tenant, { run: pathPart(request, "run"), limit: 1 });
      if (run === undefined)
        throw new ScimError("notFound", "There is no such run, or it is not kept any more.");
      return { ...run, changes: await readRunChanges(sources, tenant, run) };
    });
  };
}

/** An entry with what happened in words. */
export function explained(entry: StoredRequest): StoredRequest & { readonly explained: readonly string[] } {
  return { ...entry, explained: explainRequest(entry) };
}

function queryOf(request: FastifyRequest): ReturnType<typeof readRequestQuery> {
  const asked = (name: string): string | undefined => parameterOf(request, name) ?? undefined;
  return readRequestQuery(
    {
      connection: asked("connection"),
      run: asked("run"),
      status: asked("status"),
      since: asked("since"),
      requestId: asked("requestId"),
    },
    Date.now(),
  );
}
