/**
 * Addresses (RFC 7644 §3.2): the form of an address, read without knowing the resource types.
 * @module
 */
import { ScimError } from "@scim/schemas";

/** `/Users` */
export interface CollectionRoute {
  readonly kind: "collection";
  readonly endpoint: string;
}

/** `/Users/{id}` */
export interface ItemRoute {
  readonly kind: "item";
  readonly endpoint: string;
  readonly id: string;
}

/** An address at which something can be changed, and so tried out below `/.dry-run`. */
export type ChangeableRoute =
  | CollectionRoute
  | ItemRoute
  | { readonly kind: "me" }
  | { readonly kind: "bulk" };

/** An address of discovery. */
export type DiscoveryRoute =
  | { readonly kind: "serviceProviderConfig" }
  | { readonly kind: "schemas" }
  | { readonly kind: "schema"; readonly id: string }
  | { readonly kind: "resourceTypes" }
  | { readonly kind: "resourceType"; readonly id: string };

/** An address of discovery, or `/Diagnostics/ReferentialConsistency`. */
export type TellingRoute = DiscoveryRoute | { readonly kind: "diagnostics" };

/** An address below the mount. */
export type Route =
  | ChangeableRoute
  | TellingRoute
  /** The mount itself: a query over all resource types. */
  | { readonly kind: "root" }
  /** `/.search`, or `/Users/.search`; null for all resource types. */
  | { readonly kind: "search"; readonly endpoint: string | null }
  /** `/.dry-run/Users`, and so on. */
  | { readonly kind: "dryRun"; readonly of: ChangeableRoute }
  /** No address of ours, whatever the resource types. */
  | { readonly kind: "unknown" };

const UNKNOWN: Route = { kind: "unknown" };
const SEARCH = ".search";
const DRY_RUN = ".dry-run";
const BELOW_DRY_RUN = `/${DRY_RUN}/`;

/**
 * Reads the path of an address, still percent-encoded. A segment is decoded on its own, so that an encoded
 * slash stays part of an id and leads nowhere; what cannot be decoded names nothing.
 */
export function matchRoute(path: string): Route {
  if (path === "" || path === "/") return { kind: "root" };
  if (!path.startsWith(BELOW_DRY_RUN)) return matchPath(path);
  const of = matchPath(path.slice(BELOW_DRY_RUN.length - 1));
  return isChangeable(of) ? { kind: "dryRun", of } : UNKNOWN;
}

function isChangeable(route: Route): route is ChangeableRoute {
  return route.kind === "collection" || route.kind === "item" || route.kind === "me" || route.kind === "bulk";
}

function matchPath(path: string): Route {
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
    case DRY_RUN:
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
    case SEARCH:
      return { kind: "search", endpoint: null };
    default:
      return { kind: "collection", endpoint: `/${segment}` };
  }
}

/** Addresses of the protocol with nothing below them. */
const NOTHING_BELOW: ReadonlySet<string> = new Set(["ServiceProviderConfig", "Me", "Bulk", SEARCH, DRY_RUN]);

function matchTwo(segment: string | null, id: string | null): Route {
  if (segment === null || segment === "" || id === null || id === "") return UNKNOWN;
  switch (segment) {
    case "Schemas":
      return id === SEARCH ? UNKNOWN : { kind: "schema", id };
    case "ResourceTypes":
      return id === SEARCH ? UNKNOWN : { kind: "resourceType", id };
    case "Diagnostics":
      return id === "ReferentialConsistency" ? { kind: "diagnostics" } : UNKNOWN;
    default:
      if (NOTHING_BELOW.has(segment)) return UNKNOWN;
      return id === SEARCH
        ? { kind: "search", endpoint: `/${segment}` }
        : { kind: "item", endpoint: `/${segment}`, id };
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

/** What a log calls each form of address. Types name their own. */
const NAMES: Readonly<Record<Exclude<Route["kind"], "dryRun">, string | ((endpoint: string) => string)>> = {
  root: "/",
  collection: (endpoint) => endpoint,
  item: (endpoint) => `${endpoint}/{id}`,
  search: (endpoint) => `${endpoint}/.search`,
  serviceProviderConfig: "/ServiceProviderConfig",
  schemas: "/Schemas",
  schema: "/Schemas/{id}",
  resourceTypes: "/ResourceTypes",
  resourceType: "/ResourceTypes/{id}",
  me: "/Me",
  bulk: "/Bulk",
  diagnostics: "/Diagnostics/ReferentialConsistency",
  unknown: "unknown",
};

/**
 * What a log calls an address: its form, never what a client wrote.
 * @param endpoint that of the resource type, once it is known to be served
 */
export function routeName(route: Route, endpoint = "/{endpoint}"): string {
  if (route.kind === "dryRun") return `/.dry-run${routeName(route.of, endpoint)}`;
  if (route.kind === "search" && route.endpoint === null) return "/.search";
  const name = NAMES[route.kind];
  return typeof name === "string" ? name : name(endpoint);
}

/** Endpoints of discovery (RFC 7644 §4). */
const DISCOVERY = ["/ServiceProviderConfig", "/ResourceTypes", "/Schemas"];

/** The error for an address that names nothing. */
export function noSuchAddress(): ScimError {
  return new ScimError("notFound", "There is nothing at this address.");
}

/** What is asked for where nothing is. */
interface AskedAddress {
  /** What an endpoint would be; empty where the address has not the form of one. */
  readonly endpoint: string;
  /** The whole path below the mount, still percent-encoded. */
  readonly path: string;
}

/**
 * The error for an endpoint that is not served, with the one that is meant: clients write `/users` and `/ResourceType`, or
 * were given a base address with a slash (`//Users`), or with something else, at its end (`/v2/Users`).
 * @param served the endpoints of the resource types
 */
export function noSuchEndpoint({ endpoint, path }: AskedAddress, served: readonly string[]): ScimError {
  const known = [...served, ...DISCOVERY];
  const meant = known.find((each) => withoutForm(each) === withoutForm(endpoint));
  if (meant !== undefined)
    return new ScimError("notFound", `There is nothing at this address: '${meant}' is written so.`);
  const [first = "", ...behind] = path.split("/").slice(1);
  const isOurs = first === DRY_RUN || known.includes(`/${first}`);
  const misplaced = isOurs ? undefined : behind.find((each) => known.includes(`/${each}`));
  if (misplaced === undefined) return noSuchAddress();
  return new ScimError(
    "notFound",
    `There is nothing at this address: '/${misplaced}' comes right behind the base address. Look at the one that the client was given: it must end without a slash, and hold no part of the address twice.`,
  );
}

/** An endpoint without what clients take for a matter of taste. */
function withoutForm(endpoint: string): string {
  return endpoint.toLowerCase().replace(/s$/, "");
}
