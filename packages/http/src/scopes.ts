/**
 * What the scopes of a token open (RFC 6750 §3.1).
 * @module
 */
import type { Principal, Scope } from "@scim/core";
import { ScimError, type ResourceOperation } from "@scim/schemas";
import type { Method } from "./methods.ts";
import type { Route } from "./routes.ts";

const OPERATION_SCOPES: Readonly<Record<ResourceOperation, Scope>> = {
  query: "scim:read",
  read: "scim:read",
  create: "scim:write",
  replace: "scim:write",
  patch: "scim:write",
  delete: "scim:delete",
};

/** The scope that a method at an address asks for. Operations of a bulk job ask for their own beside it. */
export function scopeOf(route: Route, method: Method): Scope {
  const { kind } = route.kind === "dryRun" ? route.of : route;
  if (kind === "bulk") return "scim:bulk";
  if (kind === "diagnostics") return "scim:diagnostics";
  if (kind === "search" || method === "GET" || method === "HEAD" || method === "OPTIONS") return "scim:read";
  return method === "DELETE" ? "scim:delete" : "scim:write";
}

/** The scope that an operation on a resource asks for, wherever it is asked for. */
export function scopeOfOperation(operation: ResourceOperation): Scope {
  return OPERATION_SCOPES[operation];
}

/**
 * Checks that a token has a scope, or `scim`, which stands for all of them.
 * @throws ScimError `forbidden`, with the scope to ask for
 */
export function requireScope({ scopes }: Principal, needed: Scope): void {
  if (scopes.has("scim") || scopes.has(needed)) return;
  throw new ScimError("forbidden", `The token lacks the scope '${needed}'.`, {
    headers: { "www-authenticate": `Bearer realm="scim", error="insufficient_scope", scope="${needed}"` },
  });
}
