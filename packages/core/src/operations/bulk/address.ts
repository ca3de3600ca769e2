/**
 * The `path` of a bulk operation: an endpoint or a resource below the base URL, and never anything else.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { ServedType } from "../../service.ts";
import { readReference } from "./reference-text.ts";

/** What a path names. */
export type BulkAddress =
  | { readonly kind: "type"; readonly type: ServedType }
  | { readonly kind: "resource"; readonly type: ServedType; readonly id: string }
  | { readonly kind: "me" };

/** Where paths are read. */
export interface AddressContext {
  /** Without a trailing slash; a path may begin with it. */
  readonly baseUrl: string;
  readonly types: readonly ServedType[];
}

/** Addresses of the protocol that no operation of a job can be sent to. */
const NOT_IN_JOBS: ReadonlySet<string> = new Set([
  "Bulk",
  "ServiceProviderConfig",
  "Schemas",
  "ResourceTypes",
  ".dry-run",
]);
const SEARCH = ".search";

/** Would lead elsewhere, where an address is put together of it, as none is of a reference. */
const LEADS_ELSEWHERE = /^\.{1,2}$|[/\\\p{Cc}]/u;

/**
 * Reads a path.
 * @throws ScimError `invalidValue` for a malformed path, `notFound` for an unknown endpoint
 */
export function readAddress(path: string, context: AddressContext): BulkAddress {
  const segments = segmentsOf(belowBase(path, context.baseUrl));
  const [endpoint = "", id, ...rest] = segments;
  if (NOT_IN_JOBS.has(endpoint) || segments.includes(SEARCH)) {
    throw new ScimError("invalidValue", "'path' names an address that is not offered inside a bulk job.");
  }
  if (endpoint === "Me" && id === undefined) return { kind: "me" };
  const type = context.types.find((each) => each.endpoint === `/${endpoint}`);
  if (type === undefined || rest.length > 0) {
    throw new ScimError(
      "notFound",
      "'path' names no endpoint of the service; /ResourceTypes lists them all.",
    );
  }
  return id === undefined ? { kind: "type", type } : { kind: "resource", type, id };
}

/** The path without the base URL and the slash before it. */
function belowBase(path: string, baseUrl: string): string {
  const relative = path.startsWith(`${baseUrl}/`) ? path.slice(baseUrl.length) : path;
  return relative.startsWith("/") ? relative.slice(1) : relative;
}

function segmentsOf(path: string): readonly string[] {
  if (path.includes("?") || path.includes("#")) {
    throw new ScimError("invalidValue", "'path' must have no query and no fragment.");
  }
  return path.split("/").map((segment) => {
    const decoded = decodeSegment(segment);
    if (
      decoded === null ||
      decoded === "" ||
      (readReference(decoded) === null && LEADS_ELSEWHERE.test(decoded))
    ) {
      throw new ScimError(
        "invalidValue",
        "'path' must be an endpoint such as /Users, or a resource such as /Users/{id}.",
      );
    }
    return decoded;
  });
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
