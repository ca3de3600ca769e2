/**
 * Methods (RFC 7644 §3.2): what each form of address offers, and which operation a method stands for.
 * @module
 */
import type { ServedType } from "@scim/core";
import { ScimError, type ResourceOperation } from "@scim/schemas";
import type { Route } from "./routes.ts";

/** Methods in the order of the `Allow` header. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** A method that some address offers. */
export type Method = (typeof METHODS)[number];

/** What an address offers that can only be read. */
export const READ_METHODS: readonly Method[] = ["GET", "HEAD", "OPTIONS"];
const SEND: readonly Method[] = ["POST", "OPTIONS"];

/** What each form of address offers at most; null: every method is answered alike. */
const OFFERED: Readonly<Record<Exclude<Route["kind"], "dryRun">, readonly Method[] | null>> = {
  root: READ_METHODS,
  collection: ["GET", "HEAD", "POST", "OPTIONS"],
  item: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
  search: SEND,
  serviceProviderConfig: READ_METHODS,
  schemas: READ_METHODS,
  schema: READ_METHODS,
  resourceTypes: READ_METHODS,
  resourceType: READ_METHODS,
  me: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
  bulk: SEND,
  diagnostics: READ_METHODS,
  unknown: null,
};

/** Nothing can be read below `/.dry-run`. */
function offered(route: Route): readonly Method[] | null {
  if (route.kind !== "dryRun") return OFFERED[route.kind];
  return OFFERED[route.of.kind]?.filter((method) => method !== "GET" && method !== "HEAD") ?? null;
}

/** The method of a request; null where its form of address does not offer it, whatever the resource type. */
export function offeredMethod(route: Route, method: string): Method | null {
  if (method === "POST" && isMe(route)) return method;
  return (offered(route) ?? METHODS).find((candidate) => candidate === method) ?? null;
}

/** The RFC knows POST to `/Me`: it is answered 501, not 405. */
function isMe(route: Route): boolean {
  return route.kind === "me" || (route.kind === "dryRun" && route.of.kind === "me");
}

/** The operation that a method stands for at an address of a resource type; null where it stands for none. */
export function operationOf(kind: Route["kind"], method: Method): ResourceOperation | null {
  switch (method) {
    case "GET":
    case "HEAD":
      return kind === "collection" ? "query" : "read";
    case "POST":
      if (kind === "search") return "query";
      return kind === "collection" ? "create" : null;
    case "PUT":
      return "replace";
    case "PATCH":
      return "patch";
    case "DELETE":
      return "delete";
    case "OPTIONS":
      return null;
  }
}

/**
 * The methods that an address offers, for `Allow`.
 * @param type the resource type at the address, whose operations narrow them; null where there is none
 */
export function allowedMethods(route: Route, type: ServedType | null): readonly Method[] {
  const methods = offered(route) ?? READ_METHODS;
  if (type === null) return methods;
  const { kind } = route.kind === "dryRun" ? route.of : route;
  return methods.filter((method) => {
    if (method === "OPTIONS") return true;
    const operation = operationOf(kind, method);
    return operation !== null && type.operations.has(operation);
  });
}

/**
 * The operation of a resource type that a method stands for.
 * @throws ScimError `methodNotAllowed` with `Allow` where the type does not offer it
 */
export function requireOperation(route: Route, method: Method, type: ServedType): ResourceOperation {
  const operation = operationOf(route.kind === "dryRun" ? route.of.kind : route.kind, method);
  if (operation !== null && type.operations.has(operation)) return operation;
  throw methodNotAllowed(method, allowedMethods(route, type));
}

/** The error for a method that an address does not offer (RFC 9110 §15.5.6). */
export function methodNotAllowed(method: string, allowed: readonly Method[]): ScimError {
  return new ScimError("methodNotAllowed", `${method} is not offered here; use ${allowed.join(", ")}.`, {
    headers: { allow: allowed.join(", ") },
  });
}
