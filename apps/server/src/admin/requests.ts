/**
 * `GET /admin/v1/tenants/{tenant}/requests` and `/runs`: what the clients of a tenant sent, what came of
 * it, and each request as a case that can be sent again.
 * @module
 */
import type { Profile } from "@scim/core";
import {
  type AskedRequests,
  readRequestQuery,
  readRunChanges,
  type RequestCase,
  type RequestLogStore,
  type RunChangesSources,
  type StoredRequest,
} from "@scim/events";
import { ScimError } from "@scim/schemas";
import type { ConnectionStore } from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { requireGivenPosition } from "../audit/given-position.ts";
import { explained, readExplained } from "../requests/explained-page.ts";
import { namedProfile } from "../requests/named-profile.ts";
import { requestNamed } from "../requests/request-reading.ts";
import { pathName } from "./acting.ts";
import { requireFilteredConnection } from "./filtered-connection.ts";
import { limitOf, pageOf, parameterOf, POSITION_PAGE, taking, tenantOf } from "./parameters.ts";
import { asks } from "./rights.ts";

/** What the routes read. */
export interface RequestRoutes extends RunChangesSources {
  readonly requests: RequestLogStore;
  readonly connections: ConnectionStore;
  /**
   * The case of an entry.
   * @param profile null for that of the connection
   * @throws ScimError `invalidValue` where the log does not hold the whole request
   */
  readonly caseOf: (entry: StoredRequest, profile: Profile | null) => Promise<RequestCase>;
}

const REQUEST_FILTERS = ["connection", "run", "status", "since", "requestId"] as const;
const RUN_FILTERS = ["connection", "since"] as const;

/** The routes of the request log. */
export function requestRoutes(sources: RequestRoutes): FastifyPluginAsync {
  const { requests } = sources;
  const foundIn = async (request: FastifyRequest): Promise<StoredRequest> => {
    const found = await requestNamed(requests, tenantOf(request), pathName(request, "id"));
    if (found !== null) return found;
    throw new ScimError("notFound", "There is no such request, or it is not kept any more.");
  };
  return async (instance) => {
    const requestsTake = [...REQUEST_FILTERS, "before", "after", "limit"];
    instance.get("/tenants/:tenant/requests", taking(asks("read"), ...requestsTake), async (request) => {
      const limit = limitOf(request);
      const before = parameterOf(request, "before") ?? undefined;
      const after = parameterOf(request, "after") ?? undefined;
      const filters = filtersOf(request, REQUEST_FILTERS);
      const tenant = tenantOf(request);
      const page = await readExplained(requests, tenant, { ...filters, before, after, limit });
      const { connection } = filters;
      const behind = before ?? after ?? null;
      await requireFilteredConnection(sources, { tenant, connection, rows: page.requests, behind });
      return page;
    });
    instance.get("/tenants/:tenant/requests/:id", asks("read"), async (request) => {
      return explained(await foundIn(request));
    });
    instance.get("/tenants/:tenant/requests/:id/case", taking(asks("read"), "profile"), async (request) => {
      const entry = await foundIn(request);
      const named = parameterOf(request, "profile");
      return sources.caseOf(entry, named === null ? null : profileNamed(named));
    });
    const runsTake = [...RUN_FILTERS, "before", "limit"];
    instance.get("/tenants/:tenant/runs", taking(asks("read"), ...runsTake), async (request) => {
      const limit = limitOf(request);
      const { connection, since } = filtersOf(request, RUN_FILTERS);
      const before = parameterOf(request, "before") ?? undefined;
      const tenant = tenantOf(request);
      const runs = await requests.runs(tenant, { connection, since, before, limit });
      await requireFilteredConnection(sources, { tenant, connection, rows: runs, behind: before ?? null });
      return { runs, next: runs.length < limit ? null : (runs.at(-1)?.run ?? null) };
    });
    instance.get("/tenants/:tenant/runs/:run", taking(asks("read"), ...POSITION_PAGE), async (request) => {
      const tenant = tenantOf(request);
      const { since, limit } = pageOf(request);
      const [run] = await requests.runs(tenant, { run: pathName(request, "run"), limit: 1 });
      if (run === undefined)
        throw new ScimError("notFound", "There is no such run, or it is not kept any more.");
      const page = await readRunChanges(sources, tenant, { run, since, limit });
      if (page.changes.length === 0) await requireGivenPosition(sources.events, tenant, since);
      return { ...run, ...page };
    });
  };
}

/** @throws ScimError `invalidValue` */
function profileNamed(text: string): Profile {
  try {
    return namedProfile(text);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ScimError("invalidValue", `${cause.message}.`, { cause });
  }
}

function filtersOf(
  request: FastifyRequest,
  names: readonly (keyof AskedRequests)[],
): ReturnType<typeof readRequestQuery> {
  const asked: AskedRequests = Object.fromEntries(
    names.map((name) => [name, parameterOf(request, name) ?? undefined]),
  );
  return readRequestQuery(asked, Date.now());
}
