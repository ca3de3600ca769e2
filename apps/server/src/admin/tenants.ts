/**
 * `/admin/v1/tenants`: tenants listed, made, changed, suspended and deleted.
 * @module
 */
import { ScimError } from "@scim/schemas";
import {
  createTenant,
  deleteTenant,
  DISCOVERIES,
  findTenant,
  RETENTION_KINDS,
  SECRET_HANDLINGS,
  type Tenant,
  TENANT_LIMIT_NAMES,
} from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { changeWholeTenant } from "../administration/change-tenant.ts";
import { REMOVED_AT_ONCE, tenantSettled } from "../administration/deletion.ts";
import { shownTenant } from "../administration/shown.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { portsOf } from "./acting.ts";
import { bodyOf, numbersFor, oneOf, orNull, required, text } from "./body.ts";
import { KEY_PAGE, keyPageOf, type ReadKeyPage } from "./key-page.ts";
import { parameterOf, taking, tenantOf } from "./parameters.ts";
import { answerRevised, expectedRevision } from "./revision.ts";
import { administratorOfRequest, asks, asksAndTells } from "./rights.ts";

const NEW_TENANT = { tenant: text, displayName: orNull(text) };
const TENANT_CHANGE = {
  displayName: orNull(text),
  state: oneOf(["active", "suspended"] as const),
  limits: numbersFor(TENANT_LIMIT_NAMES),
  retention: numbersFor(RETENTION_KINDS),
  discovery: oneOf(DISCOVERIES),
  secrets: oneOf(SECRET_HANDLINGS),
};

/** The routes of tenants, and of who asks. */
export function tenantRoutes(opened: OpenedStore): FastifyPluginAsync {
  const { tenants } = opened.store;
  return async (instance) => {
    instance.get("/self", asks("read", "self"), async (request) => administratorOfRequest(request));

    instance.get("/tenants", taking(asks("read", "all"), ...KEY_PAGE), async (request) => {
      const read: ReadKeyPage<Tenant> = (page) => tenants.list(page);
      const { rows, next } = await keyPageOf(request, read, ({ tenant }) => tenant);
      return { tenants: rows.map(shownTenant), next };
    });

    instance.post("/tenants", asksAndTells("operate", "all"), async (request, reply) => {
      const { tenant, displayName = null } = bodyOf(request, NEW_TENANT);
      const made = await createTenant(portsOf(opened, request), {
        tenant: required("tenant", tenant),
        displayName,
      });
      reply.code(201).header("location", `tenants/${made.tenant}`);
      return answerRevised(request, reply, { revision: made.revision, body: shownTenant(made) });
    });

    instance.get("/tenants/:tenant", asks("read"), async (request, reply) => {
      const found = await findTenant({ tenants }, tenantOf(request));
      return answerRevised(request, reply, { revision: found.revision, body: shownTenant(found) });
    });

    instance.patch("/tenants/:tenant", asksAndTells("operate"), async (request, reply) => {
      const change = bodyOf(request, TENANT_CHANGE);
      const ports = portsOf(opened, request);
      const before = await findTenant(ports, tenantOf(request));
      const target = { tenant: before.tenant, expected: expectedRevision(request, before) };
      const after = await changeWholeTenant(ports, target, change);
      return answerRevised(request, reply, { revision: after.revision, body: shownTenant(after) });
    });

    instance.delete("/tenants/:tenant", taking(asksAndTells("own"), "exported"), async (request) => {
      const ports = portsOf(opened, request);
      const before = await findTenant(ports, tenantOf(request));
      const { tenant } = before;
      const removed = await deleteTenant(ports, {
        tenant,
        expected: expectedRevision(request, before),
        exported: exportedOf(request),
        batch: REMOVED_AT_ONCE,
        settled: tenantSettled,
        onProgress: () => undefined,
      });
      return { tenant, removed };
    });
  };
}

/** Whoever deletes says that the data were exported: nothing brings them back. */
function exportedOf(request: FastifyRequest): boolean {
  const said = parameterOf(request, "exported");
  if (said === null || said === "true" || said === "false") return said === "true";
  throw new ScimError("invalidValue", "The parameter 'exported' must be true or false.");
}
