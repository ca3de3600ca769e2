/**
 * What the scopes of a token open (RFC 6750 §3.1).
 * @module
 */
import type { Principal, ServiceScope } from "@scim/core";
import { ScimError, type ResourceOperation } from "@scim/schemas";
import type { Method } from "./methods.ts";
import type { Route } from "./routes.ts";

const OPERATION_SCOPES: Readonly<Record<ResourceOperation, ServiceScope>> = {
  query: "scim:read",
  read: "scim:read",
  create: "scim:write",
  replace: "scim:write",
  patch: "scim:write",
  delete: "scim:delete",
};

/** The scope that a method at an address asks for. Operations of a bulk job ask for their own beside it. */
export function scopeOf(route: Route, method: Method): ServiceScope {
  const { kind } = route.kind === "dryRun" ? route.of : route;
  if (kind === "bulk") return "scim:bulk";
  if (kind === "diagnostics") return "scim:diagnostics";
  if (kind === "search" || method === "GET" || method === "HEAD" || method === "OPTIONS") return "scim:read";
  return method === "DELETE" ? "scim:delete" : "scim:write";
}

/** The scope that an operation on a resource asks for, wherever it is asked for. */
export function scopeOfOperation(operation: ResourceOperation): ServiceScope {
  return OPERATION_SCOPES[operation];
}

/**
 * Checks that a token has a scope, or `scim`, which stands for all of them.
 * @param type name of the resource type that the request is about, where it is about one: the scope for that type
 *   alone (`scim:read:User`) will do
 * @throws ScimError `forbidden`, with the scope to ask for
 */
export function requireScope({ scopes }: Principal, needed: ServiceScope, type: string | null = null): void {
  if (scopes.has("scim") || scopes.has(needed)) return;
  if (type !== null && scopes.has(`${needed}:${type}`)) return;
  throw lacks(needed, scopes);
}

/**
 * Checks that a token may read what the service tells of itself: whoever reads any resource type may.
 * @throws ScimError `forbidden`
 */
export function requireDiscovery(principal: Principal): void {
  for (const scope of principal.scopes) if (scope.startsWith("scim:read:")) return;
  requireScope(principal, "scim:read");
}

const DISCOVERY: ReadonlySet<Route["kind"]> = new Set([
  "serviceProviderConfig",
  "schemas",
  "schema",
  "resourceTypes",
  "resourceType",
]);

/** Whether an address tells of the service itself (RFC 7644 §4). */
export function isDiscovery({ kind }: Route): boolean {
  return DISCOVERY.has(kind);
}

/** So many scopes of a token an answer names: each operation of a bulk job may tell of them. */
const TOLD_SCOPES = 5;

function lacks(needed: ServiceScope, scopes: ReadonlySet<string>): ScimError {
  const told = [...scopes].slice(0, TOLD_SCOPES).map((scope) => `'${scope}'`);
  const more = scopes.size > TOLD_SCOPES ? ` and ${scopes.size - TOLD_SCOPES} more` : "";
  const has = told.length === 0 ? "none" : `${told.join(", ")}${more}`;
  return new ScimError("forbidden", `The token lacks the scope '${needed}'. It has ${has}.`, {
    headers: { "www-authenticate": `Bearer realm="scim", error="insufficient_scope", scope="${needed}"` },
  });
}
