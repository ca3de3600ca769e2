/**
 * An address, cut where the mount of SCIM ends.
 * @module
 */

/** The two parts of an address. */
export interface MountedAddress {
  /** Path of the mount, as it was sent: `/scim/v2`; empty for the root. */
  readonly path: string;
  /** What stands behind it: the `target` of an `HttpRequest`. */
  readonly target: string;
}

/** Where a prefix meets an address. */
export interface PrefixedAddress extends MountedAddress {
  /** What stands in the place of `:tenant`; null where the prefix has none. */
  readonly tenant: string | null;
}

/**
 * Cuts an address behind so many segments of its path, for an adapter whose framework has found the mount.
 * @param url path and query, still percent-encoded, or the whole address (RFC 9112 §3.2.2)
 */
export function cutAddress(url: string, segments: number): MountedAddress {
  const address = pathAndQuery(url);
  const query = address.indexOf("?");
  const pathEnd = query === -1 ? address.length : query;
  let end = 0;
  for (let passed = 0; passed < segments; passed += 1) {
    const slash = address.indexOf("/", end + 1);
    if (slash === -1 || slash >= pathEnd) {
      end = pathEnd;
      break;
    }
    end = slash;
  }
  return { path: address.slice(0, end), target: address.slice(end) };
}

/** Path and query of an address. */
export function pathAndQuery(url: string): string {
  if (url.startsWith("/")) return url;
  const authority = url.indexOf("://");
  const path = authority === -1 ? -1 : url.indexOf("/", authority + 3);
  return path === -1 ? "/" : url.slice(path);
}

/**
 * Makes what finds a prefix in addresses, for an adapter without a router; it gives null where an address lies elsewhere.
 * @param prefix a path; in a segment such as `:tenant` anything may stand
 * @throws TypeError for what is no path
 *
 * @example
 * mountAt("/scim/:tenant/v2")("/scim/acme/v2/Users/1");
 * // { path: "/scim/acme/v2", target: "/Users/1", tenant: "acme" }
 */
export function mountAt(prefix: string): (url: string) => PrefixedAddress | null {
  if (/[?#*(){}]|^[^/]*:\/\//.test(prefix))
    throw new TypeError(`A prefix is a path such as /scim/v2 or /scim/:tenant/v2, not '${prefix}'.`);
  const segments = prefix.split("/").filter((segment) => segment !== "");
  return (url) => {
    const address = cutAddress(url, segments.length);
    const found = address.path.split("/").slice(1).map(decoded);
    const isMount =
      found.length === segments.length &&
      segments.every((segment, at) => (segment.startsWith(":") ? found[at] !== "" : found[at] === segment));
    return isMount ? { ...address, tenant: found[segments.indexOf(":tenant")] ?? null } : null;
  };
}

/** A segment; empty where it cannot be decoded, and so names nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}
