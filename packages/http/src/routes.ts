/**
 * Addresses and methods (RFC 7644 §3.2): the form of an address, and what each form offers.
 * @module
 */
import type { ServedType } from "@scim/core";
import { ScimError, type ResourceOperation } from "@scim/schemas";

/** Methods in the order of the `Allow` header. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** A method that some address offers. */
export type Method = (typeof METHODS)[number];

/** An address below the mount, read without knowing the resource types. */
export type Route =
  /** `/Users` */
  | { readonly kind: "collection"; readonly endpoint: string }
  /** `/Users/{id}` */
  | { readonly kind: "item"; readonly endpoint: string; readonly id: string }
  | { readonly kind: "serviceProviderConfig" }
  | { readonly kind: "schemas" }
  | { readonly kind: "schema"; readonly id: string }
  | { readonly kind: "resourceTypes" }
  | { readonly kind: "resourceType"; readonly id: string }
  /** Known to the RFC, and not offered here. */
  | { readonly kind: "me" }
  | { readonly kind: "bulk" }
  | { readonly kind: "search" }
  /** No address of ours, whatever the resource types. */
  | { readonly kind: "unknown" };

const READ: readonly Method[] = ["GET", "HEAD", "OPTIONS"];

/** What each form of address offers at most; null: every method is answered alike. */
const OFFERED: Readonly<Record<Route["kind"], readonly Method[] | null>> = {
  collection: ["GET", "HEAD", "POST", "OPTIONS"],
  item: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
  serviceProviderConfig: READ,
  schemas: READ,
  schema: READ,
  resourceTypes: READ,
  resourceType: READ,
  me: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
  bulk: ["POST", "OPTIONS"],
  search: null,
  unknown: null,
};

/** What a log calls an address. Types name their own. */
export const ROUTE_NAMES: Readonly<Record<Route["kind"], string>> = {
  collection: "/{endpoint}",
  item: "/{endpoint}/{id}",
  serviceProviderConfig: "/ServiceProviderConfig",
  schemas: "/Schemas",
  schema: "/Schemas/{id}",
  resourceTypes: "/ResourceTypes",
  resourceType: "/ResourceTypes/{id}",
  me: "/Me",
  bulk: "/Bulk",
  search: "/.search",
  unknown: "unknown",
};

const UNKNOWN: Route = { kind: "unknown" };

/**
 * Reads the path of an address, still percent-encoded. A segment is decoded on its own, so that an encoded
 * slash stays part of an id and leads nowhere; what cannot be decoded names nothing.
 */
export function matchRoute(path: string): Route {
  if (!path.startsWith("/")) return UNKNOWN;
  // One slash at the end is tolerated (`/Users/?filter=…`).
  const end = path.length > 1 && path.endsWith("/") ? path.length - 1 : path.length;
  const slash = path.indexOf("/", 1);
  if (slash === -1 || slash === end) return matchOne(decodeSegment(path.slice(1, end)));
  if (path.indexOf("/", slash + 1) < end && path.indexOf("/", slash + 1) !== -1) return UNKNOWN;
  return matchTwo(decodeSegment(path.slice(1, slash)), decodeSegment(path.slice(slash + 1, end)));
}

function matchOne(segment: string | null): Route {
  switch (segment) {
    case null:
    case "":
      return UNKNOWN;
    case "ServiceProviderConfig":
      return { kind: "serviceProviderConfig" };
    case "Schemas":
      return { kind: "schemas" };
    case "ResourceTypes":
      return { kind: "resourceTypes" };
    case "Me":
      return { kind: "me" };
    case "Bulk":
      return { kind: "bulk" };
    case ".search":
      return { kind: "search" };
    default:
      return { kind: "collection", endpoint: `/${segment}` };
  }
}

function matchTwo(segment: string | null, id: string | null): Route {
  if (segment === null || segment === "" || id === null || id === "") return UNKNOWN;
  if (id === ".search") return { kind: "search" };
  switch (segment) {
    case "Schemas":
      return { kind: "schema", id };
    case "ResourceTypes":
      return { kind: "resourceType", id };
    case "ServiceProviderConfig":
    case "Me":
    case "Bulk":
    case ".search":
      return UNKNOWN;
    default:
      return { kind: "item", endpoint: `/${segment}`, id };
  }
}

function decodeSegment(segment: string): string | null {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/**
 * The method of a request, where its form of address offers it.
 * @throws ScimError `methodNotAllowed` with `Allow`
 */
export function requireMethod(route: Route, method: string): Method {
  const offered = OFFERED[route.kind];
  const known = (offered ?? METHODS).find((candidate) => candidate === method);
  if (known === undefined) throw methodNotAllowed(method, offered ?? READ);
  return known;
}

/** The operation that a method stands for on a collection or an item; null where it stands for none. */
export function operationOf(kind: "collection" | "item", method: Method): ResourceOperation | null {
  switch (method) {
    case "GET":
    case "HEAD":
      return kind === "collection" ? "query" : "read";
    case "POST":
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

/** The methods that an address offers, for `Allow`; those of a resource type follow its operations. */
export function allowedMethods(route: Route, type: ServedType | null): readonly Method[] {
  const offered = OFFERED[route.kind] ?? READ;
  if (type === null || (route.kind !== "collection" && route.kind !== "item")) return offered;
  const { kind } = route;
  return offered.filter((method) => {
    const operation = operationOf(kind, method);
    return operation === null || type.operations.has(operation);
  });
}

/** The error for a method that an address does not offer (RFC 9110 §15.5.6). */
export function methodNotAllowed(method: string, allowed: readonly Method[]): ScimError {
  return new ScimError("methodNotAllowed", `${method} is not offered here; use ${allowed.join(", ")}.`, {
    headers: { allow: allowed.join(", ") },
  });
}

/** The error for an address that names nothing. */
export function noSuchAddress(): ScimError {
  return new ScimError("notFound", "There is nothing at this address.");
}
