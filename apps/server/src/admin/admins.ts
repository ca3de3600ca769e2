/**
 * `/admin/v1/admins`: administrators, each with a token of its own.
 * @module
 */
import {
  ADMIN_ROLES,
  ADMIN_TENANT,
  createToken,
  findTenant,
  findToken,
  revokeToken,
  scopeOfRole,
} from "@scim/tenancy";
import { ScimError } from "@scim/schemas";
import type { AdminScope } from "@scim/core";
import type { AdminRole } from "@scim/tenancy";
import type { FastifyPluginAsync } from "fastify";
import { shownAdmin } from "../administration/shown.ts";
import type { OpenedStore } from "../open-store.ts";
import { pathName, portsOf } from "./acting.ts";
import { bodyOf, oneOf, orNull, required, text } from "./body.ts";
import { administratorOfRequest, asks, asksAndTells } from "./rights.ts";

const NEW = { name: text, role: oneOf(ADMIN_ROLES), tenant: orNull(text), expires: orNull(text) };

/** The routes of administrators. */
export function adminRoutes(opened: OpenedStore): FastifyPluginAsync {
  const { tokens, tenants } = opened.store;
  return async (instance) => {
    instance.get("/admins", asks("own", "all"), async () => ({
      admins: (await tokens.listTokens(ADMIN_TENANT)).map(shownAdmin),
    }));

    instance.post("/admins", asksAndTells("own", "all"), async (request, reply) => {
      const { name, role, tenant = null, expires } = bodyOf(request, NEW);
      const scope = scopeFor(required("role", role), tenant);
      if (tenant !== null) await findTenant({ tenants }, tenant);
      const ports = portsOf(opened, request);
      const { id, text: token } = await createToken(ports, {
        tenant: ADMIN_TENANT,
        name: required("name", name),
        scopes: [scope],
        expires,
        createdBy: administratorOfRequest(request).name,
      });
      reply.code(201).header("location", `admins/${id}`);
      return { ...shownAdmin(await findToken(ports, { tenant: ADMIN_TENANT, id })), token };
    });

    instance.delete("/admins/:id", asksAndTells("own", "all"), async (request, reply) => {
      const name = { tenant: ADMIN_TENANT, id: pathName(request, "id") };
      await revokeToken(portsOf(opened, request), name);
      return reply.code(204).send();
    });
  };
}

function scopeFor(role: AdminRole, tenant: string | null): AdminScope {
  if ((role === "tenant-admin") === (tenant !== null)) return scopeOfRole(role, tenant);
  throw new ScimError("invalidValue", "A tenant-admin has one 'tenant', and no other role has any.");
}
