/**
 * What each address of the admin API asks of an administrator.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { hasRight, rolesWith, type Administrator, type AdminRight } from "@scim/tenancy";
import type { FastifyRequest } from "fastify";
import { tenantOf } from "./parameters.ts";

/** The right that a route asks for, and what it is about: one tenant, all of them, or the administrator alone. */
export interface RouteRight {
  readonly right: AdminRight;
  readonly of: "tenant" | "all" | "self";
  /** Whether the route tells what it changes in the transaction that changes it; else the request is told, at both ends. */
  readonly tells?: true;
  /**
   * How the trail, which outlives an erasure, tells a path whose `:id` is what a person is named by: without it, or with an
   * id alone, and no name that somebody wrote in its place.
   */
  readonly person?: "hidden" | "id";
}

declare module "fastify" {
  interface FastifyContextConfig {
    asks?: RouteRight;
  }
}

/** What a route asks for that states nothing: whoever forgets opens no door. */
const UNSTATED: RouteRight = { right: "own", of: "all" };

/**
 * The options of a route that states its right.
 *
 * @example
 * instance.get("/tenants/:tenant/audit", asks("read"), handler);
 */
export function asks(
  right: AdminRight,
  of: RouteRight["of"] = "tenant",
): { readonly config: { readonly asks: RouteRight } } {
  return { config: { asks: { right, of } } };
}

/** The options of a route that states its right, and tells what it changes itself. */
export function asksAndTells(
  right: AdminRight,
  of: RouteRight["of"] = "tenant",
): { readonly config: { readonly asks: RouteRight } } {
  return { config: { asks: { right, of, tells: true } } };
}

/** The options of a route that states its right, and in whose path a person is named. */
export function asksOfPerson(
  right: AdminRight,
  person: NonNullable<RouteRight["person"]>,
): { readonly config: { readonly asks: RouteRight } } {
  return { config: { asks: { right, of: "tenant", person } } };
}

/**
 * Checks that an administrator may do what a request asks for. For the administrator of a tenant, others are not there.
 * @throws ScimError `forbidden`, `notFound`
 */
export function requireRight(administrator: Administrator, request: FastifyRequest): void {
  const { right, of } = request.routeOptions.config.asks ?? UNSTATED;
  const own = administrator.tenant;
  if (of === "all") return requireRightOverAll(administrator, right);
  const tenant = of === "tenant" ? tenantOf(request) : own;
  if (own !== null && own !== tenant) throw new ScimError("notFound", "There is no such tenant.");
  if (!hasRight(administrator, right, tenant)) throw lacking(right, of);
}

/** What reads, and what takes away. */
const LEAVES_NOTHING: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"]);

/**
 * Whether a request may leave something behind in the tenant that it is about. What owners alone do there is to erase, which a
 * tenant that was deleted may need as well.
 */
export function addsToTenant({ method, routeOptions }: FastifyRequest): boolean {
  return !LEAVES_NOTHING.has(method) && routeOptions.config.asks?.right !== "own";
}

/** Whether a request is about one tenant. */
export function isOfTenant({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.asks?.of === "tenant";
}

/**
 * Checks that the administrator of a request has a further right, for what only some bodies ask for.
 * @throws ScimError `forbidden`
 */
export function requireFurtherRight(administrator: Administrator, right: AdminRight, tenant: string): void {
  if (!hasRight(administrator, right, tenant)) throw lacking(right, "tenant");
}

function lacking(right: AdminRight, of: RouteRight["of"]): ScimError {
  const roles = rolesWith(right).filter((role) => of !== "all" || role !== "tenant-admin");
  return new ScimError("forbidden", `This asks for an administrator whose role is ${roles.join(" or ")}.`);
}

/**
 * Checks that an administrator has a right over all tenants.
 * @throws ScimError `forbidden`
 */
export function requireRightOverAll(administrator: Administrator, right: AdminRight): void {
  if (!hasRight(administrator, right, null)) throw lacking(right, "all");
}

const administrators = new WeakMap<FastifyRequest, Administrator>();

/** Notes who a request comes from. */
export function noteAdministrator(request: FastifyRequest, administrator: Administrator): void {
  administrators.set(request, administrator);
}

/** Who a request comes from; null where no administrator was found. */
export function notedAdministrator(request: FastifyRequest): Administrator | null {
  return administrators.get(request) ?? null;
}

/** Who a request that passed the checks comes from. */
export function administratorOfRequest(request: FastifyRequest): Administrator {
  const found = notedAdministrator(request);
  if (found === null) throw new TypeError("The request passed no check of its administrator");
  return found;
}
