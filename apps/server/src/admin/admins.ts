/**
 * `/admin/v1/admins`: administrators, each with a token of its own, or known to an issuer by a subject.
 * @module
 */
import type { AdminScope } from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import { ScimError } from "@scim/schemas";
import {
  ADMIN_ROLES,
  ADMIN_TENANT,
  type AdminIdentity,
  type AdminRole,
  changeAdminIdentity,
  createAdminIdentity,
  createToken,
  findToken,
  revokeAdminIdentity,
  revokeToken,
  scopeOfRole,
} from "@scim/tenancy";
import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { refuseToken } from "../administration/refuse-token.ts";
import {
  type Administrating,
  administratorsOn,
  isRefused,
  shownAdmin,
  shownAdministrator,
  shownIdentity,
} from "../administration/shown-admins.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { pathName, portsOf } from "./acting.ts";
import { bodyOf, instant, oneOf, orNull, type ReadBody, required, text } from "./body.ts";
import { KEY_PAGE, keyPageOf, type ReadKeyPage } from "./key-page.ts";
import { taking } from "./parameters.ts";
import { answerRevised, expectedRevision } from "./revision.ts";
import { administratorOfRequest, asks, asksAndTells } from "./rights.ts";

const CHANGE = { name: text, role: oneOf(ADMIN_ROLES), tenant: orNull(text), expires: orNull(instant) };
const NEW = { ...CHANGE, issuer: text, subject: text };

/** The routes of administrators. */
export function adminRoutes(opened: OpenedStore): FastifyPluginAsync {
  const { admins } = opened.store;
  const identityOf = async (request: FastifyRequest): Promise<AdminIdentity | null> => {
    const id = pathName(request, "id");
    return (await admins.listIdentities()).find((each) => each.id === id) ?? null;
  };
  const tokenOf = (request: FastifyRequest) => ({ tenant: ADMIN_TENANT, id: pathName(request, "id") });

  return async (instance) => {
    instance.get("/admins", taking(asks("own", "all"), ...KEY_PAGE), async (request) => {
      const ports = portsOf(opened, request);
      const read: ReadKeyPage<Administrating> = (page) => administratorsOn(ports, page);
      const { rows, next } = await keyPageOf(request, read, ({ id }) => id);
      return { admins: rows.map(shownAdministrator), bootstrapRefused: await isRefused(ports), next };
    });

    instance.post("/admins", asksAndTells("own", "all"), async (request, reply) => {
      const wanted = bodyOf(request, NEW);
      if (wanted.issuer === undefined && wanted.subject === undefined) {
        const { id, body } = await withToken(opened, request, wanted);
        reply.code(201).header("location", `admins/${id}`);
        return body;
      }
      const made = await ofIssuer(opened, request, wanted);
      reply.code(201).header("location", `admins/${made.id}`);
      // Told here, since whoever asks for it next may be refused for it.
      const body = { ...shownIdentity(made), bootstrapRefused: await isRefused(portsOf(opened, request)) };
      return answerRevised(request, reply, { revision: made.revision, body });
    });

    instance.get("/admins/:id", asks("own", "all"), async (request, reply) => {
      const identity = await identityOf(request);
      if (identity === null) return shownAdmin(await findToken(opened.store, tokenOf(request)));
      return answerRevised(request, reply, { revision: identity.revision, body: shownIdentity(identity) });
    });

    instance.patch("/admins/:id", asksAndTells("own", "all"), async (request, reply) => {
      const change = bodyOf(request, CHANGE);
      const before = await identityOf(request);
      if (before === null) return refuseToken(opened.store, pathName(request, "id"));
      const target = { id: before.id, expected: expectedRevision(request, before) };
      const after = await changeAdminIdentity(portsOf(opened, request), target, change);
      return answerRevised(request, reply, { revision: after.revision, body: shownIdentity(after) });
    });

    instance.delete("/admins/:id", asksAndTells("own", "all"), async (request, reply) => {
      const ports = portsOf(opened, request);
      const identity = await identityOf(request);
      if (identity === null) await revokeToken(ports, tokenOf(request));
      else {
        const target = { id: identity.id, expected: expectedRevision(request, identity) };
        await revokeAdminIdentity(ports, target);
      }
      return reply.code(204).send();
    });
  };
}

type Wanted = ReadBody<typeof NEW>;

async function withToken(
  opened: OpenedStore,
  request: FastifyRequest,
  { name, role, tenant = null, expires }: Wanted,
): Promise<{ readonly id: string; readonly body: JsonObject }> {
  const scope = scopeFor(required("role", role), tenant);
  const ports = portsOf(opened, request);
  const { id, text: token } = await createToken(ports, {
    tenant: ADMIN_TENANT,
    name: required("name", name),
    scopes: [scope],
    expires,
    createdBy: administratorOfRequest(request).name,
  });
  return { id, body: { ...shownAdmin(await findToken(ports, { tenant: ADMIN_TENANT, id })), token } };
}

function ofIssuer(
  opened: OpenedStore,
  request: FastifyRequest,
  { name, role, tenant, expires, issuer, subject }: Wanted,
): Promise<AdminIdentity> {
  return createAdminIdentity(portsOf(opened, request), {
    issuer: required("issuer", issuer),
    subject: required("subject", subject),
    name: required("name", name),
    role: required("role", role),
    tenant,
    expires,
    createdBy: administratorOfRequest(request).name,
  });
}

function scopeFor(role: AdminRole, tenant: string | null): AdminScope {
  if ((role === "tenant-admin") === (tenant !== null)) return scopeOfRole(role, tenant);
  throw new ScimError("invalidValue", "A tenant-admin has one 'tenant', and no other role has any.");
}
