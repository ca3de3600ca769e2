/**
 * What queries of the admin API say: of tenants, pages and what is looked for.
 * @module
 */
import { ScimError } from "@scim/schemas";
import { isTenantName } from "@scim/tenancy";
import type { FastifyContextConfig, FastifyRequest } from "fastify";
import { DEFAULT_TENANT } from "../settings/table.ts";
import { toldName } from "./told-name.ts";

const DEFAULT_LIMIT = 100;
const MOST = 1000;

/** A page by position, for {@link taking}. */
export const POSITION_PAGE = ["since", "limit"] as const;

/** A page by position, or the last. */
export const LAST_OR_PAGE = [...POSITION_PAGE, "last"] as const;

declare module "fastify" {
  interface FastifyContextConfig {
    takes?: readonly string[];
  }
}

/**
 * The options of a route whose query takes parameters. A route that names none takes none.
 *
 * @example
 * instance.get("/tenants/:tenant/guard", taking(asks("read"), "connection", ...KEY_PAGE), handler);
 */
export function taking<Config extends FastifyContextConfig>(
  { config }: { readonly config: Config },
  ...takes: readonly string[]
): { readonly config: Config & { readonly takes: readonly string[] } } {
  return { config: { ...config, takes } };
}

/**
 * Checks that a query holds what its route takes alone: were anything else ignored, more would be told or changed than was
 * meant.
 * @throws ScimError `invalidValue`
 */
export function requireTakenParameters(request: FastifyRequest): void {
  const { query, method } = request;
  const names = typeof query === "object" && query !== null ? Object.keys(query) : [];
  const takes = takenBy(request);
  const other = names.find((name) => !takes.includes(name));
  if (other === undefined) return;
  throw new ScimError(
    "invalidValue",
    `${method} takes no parameter '${toldName(other)}' at this address: it takes ${takes.join(", ") || "none"}.`,
  );
}

function takenBy({ routeOptions }: FastifyRequest): readonly string[] {
  return routeOptions.config.takes ?? [];
}

/** Whether a request asks for a page of a list. */
export function isPage(request: FastifyRequest): boolean {
  return takenBy(request).includes("limit");
}

/** A page by position. */
export interface PositionPage {
  /** Those behind this position; null where none was said. */
  readonly since: number | null;
  /** At most so many: 1 to 1000. */
  readonly limit: number;
}

/**
 * The tenant that an address names: in its path, or where the path names none by the parameter `tenant`, which is
 * `default` where it is not there.
 * @throws ScimError `notFound`
 */
export function tenantOf(request: FastifyRequest): string {
  const { params } = request;
  const named =
    typeof params === "object" && params !== null && "tenant" in params
      ? params.tenant
      : (parameterOf(request, "tenant") ?? DEFAULT_TENANT);
  if (typeof named === "string" && isTenantName(named)) return named;
  throw new ScimError("notFound", "There is no such tenant.");
}

/**
 * A parameter that the route takes; null where it is not there.
 * @throws ScimError `invalidValue` where it stands there more than once
 */
export function parameterOf(request: FastifyRequest, name: string): string | null {
  if (!takenBy(request).includes(name)) throw new TypeError(`The route states no parameter '${name}'`);
  const { query } = request;
  const members = new Map(typeof query === "object" && query !== null ? Object.entries(query) : []);
  const value: unknown = members.get(name);
  if (value === undefined) return null;
  if (typeof value === "string") return value;
  throw new ScimError("invalidValue", `The parameter '${name}' stands there more than once.`);
}

/**
 * The page that a query asks for with `since` and `limit`.
 * @throws ScimError `invalidValue`
 */
export function pageOf(request: FastifyRequest): PositionPage {
  return { since: sinceOf(request), limit: limitOf(request) };
}

/**
 * The position that a query names with `since`; null where it says nothing.
 * @throws ScimError `invalidValue`
 */
export function sinceOf(request: FastifyRequest): number | null {
  return numberOf(request, "since", { least: 0, most: Number.MAX_SAFE_INTEGER });
}

/**
 * How many a query asks for with `limit`: 1 to 1000, 100 where it says nothing.
 * @throws ScimError `invalidValue`
 */
export function limitOf(request: FastifyRequest): number {
  return numberOf(request, "limit", { least: 1, most: MOST }) ?? DEFAULT_LIMIT;
}

/**
 * How many of the last a query asks for with `last`, in the place of `since` and `limit`: 0 to 1000, where 0 tells the
 * position alone; null where it says nothing.
 * @throws ScimError `invalidValue`, also where it says both
 */
export function lastOf(request: FastifyRequest): number | null {
  const last = numberOf(request, "last", { least: 0, most: MOST });
  if (last === null || POSITION_PAGE.every((name) => parameterOf(request, name) === null)) return last;
  throw new ScimError("invalidValue", "Give 'last', or 'since' and 'limit', not both.");
}

/** Longest wait of a request, in seconds: shorter than clients and proxies wait for an answer. */
const MOST_WAIT = 25;

/**
 * How long a query waits for what is not there yet, in milliseconds: `wait` in seconds, 0 to 25; 0 where it says nothing.
 * @throws ScimError `invalidValue`
 */
export function waitOf(request: FastifyRequest): number {
  return (numberOf(request, "wait", { least: 0, most: MOST_WAIT }) ?? 0) * 1000;
}

function numberOf(
  request: FastifyRequest,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | null {
  const text = parameterOf(request, name);
  if (text === null) return null;
  const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ScimError(
    "invalidValue",
    `The parameter '${name}' must be a whole number from ${least} to ${most}.`,
  );
}
