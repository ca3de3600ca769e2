/**
 * Every route of the admin API, and the roles that it is open to.
 * @module
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { JsonObject } from "@scim/schemas";
import type { FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";
import { ADMIN_PATH } from "../../src/admin/plugin.ts";

export const ROLES = ["owner", "operator", "support", "tenant-admin"] as const;
export type Role = (typeof ROLES)[number];

const ALL: readonly Role[] = ROLES;
const OWNER: readonly Role[] = ["owner"];
const OPERATORS: readonly Role[] = ["owner", "operator"];
const PERSONS: readonly Role[] = ["owner", "operator", "tenant-admin"];
const SERVICE: readonly Role[] = ["owner", "operator", "support"];

/** A route below `/admin/v1`, as it is written down, and what is sent to it beside its path. */
export interface RouteRoles {
  readonly method: string;
  readonly path: string;
  readonly open: readonly Role[];
  readonly query: string;
  readonly body?: JsonObject;
}

function route(
  methodAndPath: string,
  open: readonly Role[],
  { query = "", body }: { readonly query?: string; readonly body?: JsonObject } = {},
): RouteRoles {
  const [method = "", path = ""] = methodAndPath.split(" ");
  const sent = body ?? (method === "POST" || method === "PATCH" || method === "PUT" ? {} : undefined);
  return { method, path, open, query, ...(sent === undefined ? {} : { body: sent }) };
}

const TENANT = "/tenants/:tenant";
const CONNECTION = `${TENANT}/connections/:connection`;
const CLIENT = `${CONNECTION}/clients/:client`;
const DELETED = `${TENANT}/deleted/:type/:id`;

/** The routes of receivers, wherever they are. */
function receivers(all: string, reads: readonly Role[], changes: readonly Role[]): readonly RouteRoles[] {
  return [
    route(`GET ${all}`, reads),
    route(`POST ${all}`, changes),
    route(`GET ${all}/:id`, reads),
    route(`PATCH ${all}/:id`, changes),
    route(`DELETE ${all}/:id`, changes),
    route(`GET ${all}/:id/dead`, reads),
    ...["replay", "drop", "rotate"].map((action) => route(`POST ${all}/:id/${action}`, changes)),
  ];
}

/** All of them, by what they are about. */
export const ROUTE_ROLES: readonly RouteRoles[] = [
  route("GET /self", ALL),
  route("GET /profiles", ALL),
  route("GET /profiles/:name", ALL),
  route("GET /tenants", SERVICE),
  route("POST /tenants", OPERATORS, { body: { tenant: "?" } }),
  route(`GET ${TENANT}`, ALL),
  route(`PATCH ${TENANT}`, OPERATORS),
  route(`DELETE ${TENANT}`, OWNER),
  route(`GET ${TENANT}/connections`, ALL),
  route(`POST ${TENANT}/connections`, PERSONS, { body: { connection: "?" } }),
  route(`POST ${TENANT}/connections`, OPERATORS, { body: { connection: "?", rate: null } }),
  route(`GET ${CONNECTION}`, ALL),
  route(`PATCH ${CONNECTION}`, PERSONS),
  route(`PATCH ${CONNECTION}`, OPERATORS, { body: { rate: null } }),
  route(`DELETE ${CONNECTION}`, PERSONS),
  route(`GET ${CONNECTION}/switches`, ALL),
  route(`GET ${TENANT}/tokens`, ALL),
  route(`GET ${TENANT}/clients`, ALL),
  route(`GET ${CONNECTION}/tokens`, ALL),
  route(`POST ${CONNECTION}/tokens`, PERSONS, { body: { name: " " } }),
  route(`GET ${CONNECTION}/tokens/:id`, ALL),
  route(`DELETE ${CONNECTION}/tokens/:id`, PERSONS),
  route(`GET ${CONNECTION}/clients`, ALL),
  route(`POST ${CONNECTION}/clients`, PERSONS, { body: { name: " " } }),
  route(`GET ${CLIENT}`, ALL),
  route(`PATCH ${CLIENT}`, PERSONS),
  route(`DELETE ${CLIENT}`, PERSONS),
  ...["secrets", "trusts"].flatMap((part) => [
    route(`POST ${CLIENT}/${part}`, PERSONS),
    route(`DELETE ${CLIENT}/${part}/:id`, PERSONS),
  ]),
  route(`GET ${TENANT}/schemas`, ALL),
  route(`POST ${TENANT}/schemas`, PERSONS),
  route(`GET ${TENANT}/schemas/:name`, ALL),
  route(`PUT ${TENANT}/schemas/:name`, PERSONS),
  route(`DELETE ${TENANT}/schemas/:name`, PERSONS),
  route(`GET ${TENANT}/indexes`, ALL),
  route(`POST ${TENANT}/indexes`, OPERATORS),
  route(`DELETE ${TENANT}/indexes/:type/:path`, OPERATORS),
  route(`GET ${TENANT}/guard`, ALL),
  route(`POST ${TENANT}/guard/release`, PERSONS),
  route(`POST ${TENANT}/guard/dismiss`, PERSONS),
  route(`GET ${TENANT}/requests`, ALL),
  route(`GET ${TENANT}/requests/:id`, ALL),
  route(`GET ${TENANT}/requests/:id/case`, ALL),
  route(`GET ${TENANT}/runs`, ALL),
  route(`GET ${TENANT}/runs/:run`, ALL),
  route(`GET ${TENANT}/deleted`, ALL),
  route(`GET ${DELETED}`, ALL),
  route(`GET ${DELETED}/memberOf`, ALL),
  route(`GET ${DELETED}/members`, ALL),
  route(`POST ${DELETED}/restore`, PERSONS),
  route(`GET ${TENANT}/erasures`, ALL),
  route(`POST ${TENANT}/erasures`, OWNER),
  route(`DELETE ${TENANT}/subjects/:id`, OWNER),
  route("DELETE /subjects/:id", OWNER, { query: "?tenant=acme" }),
  route(`GET ${TENANT}/changes`, PERSONS),
  route("GET /changes", PERSONS, { query: "?tenant=acme" }),
  ...["", "/checkpoints", "/verification"].flatMap((part) => [
    route(`GET ${TENANT}/audit${part}`, ALL),
    route(`GET /audit${part}`, SERVICE),
  ]),
  ...receivers(`${TENANT}/webhooks`, ALL, PERSONS),
  route(`POST ${TENANT}/webhooks/:id/test`, PERSONS),
  ...receivers(`${TENANT}/streams`, ALL, PERSONS),
  ...receivers("/webhooks", OWNER, OWNER),
  route("POST /webhooks/:id/test", OWNER),
  route("GET /signing-keys", SERVICE),
  route("POST /signing-keys/rotate", OWNER, { body: { aheadMinutes: "?" } }),
  ...["/admins", "/issuers"].flatMap((all) => [
    route(`GET ${all}`, OWNER),
    route(`POST ${all}`, OWNER),
    route(`GET ${all}/:id`, OWNER),
    route(`PATCH ${all}/:id`, OWNER),
    route(`DELETE ${all}/:id`, OWNER),
  ]),
];

/** The address of a route, in a tenant. */
export function addressIn(tenant: string, { path, query }: Pick<RouteRoles, "path" | "query">): string {
  return `${path.replace(":tenant", tenant).replace(":connection", "default").replaceAll(/:\w+/g, "none")}${query}`;
}

/** Collects the routes of the admin API that servers add from now on, as `METHOD /path`; until the test is over. */
export function servedRoutes(): ReadonlySet<string> {
  const served = new Set<string>();
  const onMade = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ url, method }) => {
      if (!url.startsWith(`${ADMIN_PATH}/`)) return;
      for (const each of [method].flat())
        if (each !== "HEAD") served.add(`${each} ${url.slice(ADMIN_PATH.length)}`);
    });
  };
  subscribe("fastify.initialization", onMade);
  onTestFinished(() => void unsubscribe("fastify.initialization", onMade));
  return served;
}
