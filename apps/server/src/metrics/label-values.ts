/**
 * Values of labels whose number is bounded, whatever clients send and however many tenants there are.
 * @module
 */

/** What all others are counted as. */
export const OTHER = "other";

/** What is counted of those who are nobody: they had no valid token. */
export const NONE = "none";

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

/** The method of a request, where SCIM knows it. */
export function methodLabel(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

/** Classes of statuses that are answered. */
export const STATUSES: readonly string[] = ["2xx", "3xx", "4xx", "5xx"];

/** The class of a status: `2xx`. */
export function statusLabel(status: number): string {
  return `${Math.trunc(status / 100)}xx`;
}

/** A tenant and a connection of it, as metrics name them. */
export interface CallerLabels {
  readonly tenant: string;
  readonly connection: string;
}

/** Connections of named tenants that one process names. */
const MOST_CONNECTIONS = 200;

/**
 * Names the tenants that the operator chose, with their connections, and counts all others together.
 * @param onNamed told of each connection that gets a name, once
 */
export function createCallerLabels(
  tenants: ReadonlySet<string>,
  onNamed: (caller: CallerLabels) => void = () => undefined,
): (tenant: string | null, connection: string | null) => CallerLabels {
  const named = new Set<string>();
  return (tenant, connection) => {
    if (tenant === null) return { tenant: NONE, connection: NONE };
    if (!tenants.has(tenant)) return { tenant: OTHER, connection: OTHER };
    const key = `${tenant} ${connection ?? ""}`;
    const isNew = !named.has(key);
    if (connection === null || (isNew && named.size >= MOST_CONNECTIONS))
      return { tenant, connection: OTHER };
    named.add(key);
    if (isNew) onNamed({ tenant, connection });
    return { tenant, connection };
  };
}

/** Forms of address that one process names beside those of the service's own resource types. The server itself has some hundred. */
const MOST_ROUTES = 300;

/**
 * Names forms of address: those of the resource types of the service, however many, and of all others as many as there may be,
 * since tenants have types of their own, which come and go.
 * @param endpoints of the resource types of the service
 */
export function createRouteLabels(endpoints: ReadonlySet<string>): (route: string) => string {
  const ofService = new Set<string>();
  const others = new Set<string>();
  return (route) => {
    if (ofService.has(route) || others.has(route)) return route;
    if (endpoints.has(endpointOf(route))) ofService.add(route);
    else if (others.size < MOST_ROUTES) others.add(route);
    else return OTHER;
    return route;
  };
}

/** `/Users` of `/Users/{id}` and of `/.dry-run/Users`. */
function endpointOf(route: string): string {
  return /^(?:\/\.dry-run)?(?<endpoint>\/[^/]*)/.exec(route)?.groups?.["endpoint"] ?? "";
}
