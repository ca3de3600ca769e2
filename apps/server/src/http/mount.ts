/**
 * Where SCIM is mounted below the public address.
 * @module
 */

/** For the tenant of the token. */
export const MOUNT = "/scim/v2";

/** For a tenant that the address names. */
export const TENANT_MOUNT = "/scim/:tenant/v2";

/** Where tools are called by the Model Context Protocol. */
export const MCP_PATH = "/mcp";

/** Where tools are called by JSON-RPC 2.0. */
const RPC_PATH = "/rpc";

/** The path of SCIM, or of the tools, at which a tenant is served; null for that of the token. */
export function pathOf(what: "scim" | "mcp" | "rpc", tenant: string | null): string {
  if (what === "scim") return tenant === null ? MOUNT : `/scim/${tenant}/v2`;
  const path = what === "mcp" ? MCP_PATH : RPC_PATH;
  return tenant === null ? path : `${path}/${tenant}`;
}

/** An address of old, at which one tenant, or one connection of it, is served. */
export interface OldAddress {
  /** The path below which SCIM is, without a slash at its end: `/legacy/scim`. */
  readonly path: string;
  readonly tenant: string;
  /** Null for any connection of the tenant. */
  readonly connection: string | null;
}

/** The path of SCIM at the end of a base address. */
export interface ServedPath {
  /** `/scim/acme/v2`, or that of an address of old. */
  readonly path: string;
  /** The tenant that an address of the server's own names, or null. */
  readonly named: string | null;
  readonly isOld: boolean;
}

const OWN_PATH = /\/scim(?:\/(?<tenant>[^/]+))?\/v2$/;

/** The path at the end of a base address; null where nothing is served at any. One may end as another does: the longer is meant. */
export function servedPath(baseUrl: string, mounts: readonly OldAddress[]): ServedPath | null {
  const own = OWN_PATH.exec(baseUrl);
  const paths: ServedPath[] = mounts.map(({ path }) => ({ path, named: null, isOld: true }));
  if (own !== null) paths.push({ path: own[0], named: own.groups?.["tenant"] ?? null, isOld: false });
  const [longest = null] = paths
    .filter(({ path }) => baseUrl.endsWith(path))
    .toSorted((a, b) => b.path.length - a.path.length);
  return longest;
}

/** The public address of which a base address of SCIM was made. */
export function publicUrlBelow(baseUrl: string, mounts: readonly OldAddress[]): string {
  return baseUrl.slice(0, baseUrl.length - (servedPath(baseUrl, mounts)?.path.length ?? 0));
}

const NAMED = /^\/scim\/(?<tenant>[^/]+)$/;

/** The tenant whose address of its own is below an address of old, which the router would take for a part of that; or null. */
export function tenantBelow({ path }: OldAddress): string | null {
  return NAMED.exec(path)?.groups?.["tenant"] ?? null;
}
