/**
 * The routes of the admin API, each part with what it works on.
 * @module
 */
import type { FastifyPluginAsync } from "fastify";
import { administrationRoutes } from "../admin/administration.ts";
import { auditRoutes } from "../admin/audit.ts";
import { changeRoutes } from "../admin/changes.ts";
import { deletedRoutes } from "../admin/deleted.ts";
import { guardRoutes } from "../admin/guard.ts";
import { indexRoutes } from "../admin/indexes.ts";
import { profileRoutes } from "../admin/profiles.ts";
import { requestRoutes } from "../admin/requests.ts";
import { schemaRoutes } from "../admin/schemas.ts";
import { subjectRoutes } from "../admin/subjects.ts";
import { copiesBeside } from "../erasure/copies-beside.ts";
import { deletingIn, erasingFor } from "../erasure/erasing.ts";
import { createIssuerReader } from "../oauth/create-oauth.ts";
import { caseOfEntry, openCases } from "../requests/case-of-entry.ts";
import type { ServedTenants } from "./served-tenants.ts";
import type { ServerParts } from "./server-parts.ts";

/** The routes of all parts but delivery, which has its own. */
export function adminRoutes(
  { settings, opened }: ServerParts,
  served: ServedTenants,
): readonly FastifyPluginAsync[] {
  const { store, auditKeys, rules } = opened;
  return [
    auditRoutes({ ...auditKeys, ...store, catalog: rules.catalogOf }),
    changeRoutes({ events: store.events }),
    administrationRoutes(opened, createIssuerReader(settings)),
    subjectRoutes({
      tenants: store.tenants,
      erasures: store.erasures,
      erasingFor: (by) => erasingFor({ settings, opened, service: deletingIn(served.serviceOf) }, by),
      copies: () => copiesBeside(settings),
    }),
    deletedRoutes({ settings, opened, serviceOf: served.serviceOf }),
    requestRoutes({
      ...auditKeys,
      requests: store.requests,
      connections: store.connections,
      events: store.events,
      catalog: rules.catalogOf,
      caseOf: (entry, profile) => caseOfEntry(openCases(settings, opened), entry, profile),
    }),
    profileRoutes({ connections: store.connections, settings }),
    guardRoutes(opened),
    indexRoutes(opened),
    schemaRoutes(opened),
  ];
}
