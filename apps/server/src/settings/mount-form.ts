/**
 * Addresses of old: where tenants were served before.
 * @module
 */
import { isConnectionName, isTenantName } from "@scim/tenancy";
import type { OldAddress } from "../http/mount.ts";

const SEGMENTS = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** Most mounts: each is a part of the router. */
const MOST = 1000;

/** First segments that the server itself answers below. */
const OWN: ReadonlySet<string> = new Set([
  "admin",
  "console",
  "docs",
  "events",
  "healthz",
  "mcp",
  "metrics",
  "oauth2",
  "openapi.json",
  "readyz",
  "rpc",
  ".well-known",
]);

/** `/scim/v2`, `/scim/acme/v2`, and other versions of them. */
const OWN_SCIM = /^\/scim(?:\/[^/]+)?\/v[0-9]+(?:\/|$)/;

/** `path=tenant` and `path=tenant/connection`, separated by commas. */
export function readMounts(text: string): readonly OldAddress[] {
  const mounts = text.split(",").map((entry) => readMount(entry.trim()));
  const paths = mounts.map(({ path }) => path);
  if (mounts.length > MOST) throw new TypeError(`must be at most ${MOST} mounts`);
  if (new Set(paths).size < paths.length) throw new TypeError("must name each path once");
  return mounts;
}

function readMount(entry: string): OldAddress {
  const [path = "", target = "", ...rest] = entry.split("=");
  const [tenant = "", connection = null, ...more] = target.split("/");
  if (rest.length > 0 || more.length > 0 || !isTenantName(tenant)) throw noMount();
  if (connection !== null && !isConnectionName(connection)) throw noMount();
  if (!SEGMENTS.test(path) || path.split("/").some((segment) => /^\.+$/.test(segment))) throw noMount();
  if (OWN.has(path.split("/")[1] ?? "") || OWN_SCIM.test(path)) {
    throw new TypeError(`must not name ${path}, where the server itself answers`);
  }
  return { path, tenant, connection };
}

function noMount(): TypeError {
  return new TypeError(
    "must be mounts separated by commas, such as /legacy/scim=acme,/old/okta=acme/okta: " +
      "a path without a slash at its end, and a tenant or a tenant and a connection",
  );
}
