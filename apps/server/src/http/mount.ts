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

/** The public address of which a base address of SCIM was made. */
export function publicUrlBelow(baseUrl: string, mounts: readonly OldAddress[]): string {
  const mount = mounts.find(({ path }) => baseUrl.endsWith(path));
  return mount === undefined
    ? baseUrl.replace(/\/scim(?:\/[^/]+)?\/v2$/, "")
    : baseUrl.slice(0, -mount.path.length);
}
