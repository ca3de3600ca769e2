/**
 * Resource types that somebody names and a tenant does not have. They may be meant: a tenant can get types of its own later.
 * @module
 */
import { catalogFor, type CatalogSource } from "@scim/core";
import { wantedTypes } from "@scim/events";
import type { JsonObject } from "@scim/schemas";
import { ADMIN_ACT_TYPES, ADMIN_TENANT } from "@scim/tenancy";
import { type Reader, tell } from "../output.ts";
import { typedIn } from "../remote/admin-requests.ts";

/** Something that is worth a look, and no fault. */
export interface Notice {
  /** The member, parameter or flag that it is about. */
  readonly path: string;
  readonly message: string;
}

/** Parts that tell which types tenants have. */
export interface WithCatalog {
  readonly catalog: CatalogSource;
}

/** Types that a notice lists. */
const LISTED = 25;

/**
 * Notices of the types that a tenant does not have; empty where it has all of them. The trail of administration is about
 * other things than resources, and has types of its own.
 */
export async function missingTypes(
  source: CatalogSource,
  tenant: string,
  { path, types }: { readonly path: string; readonly types: readonly string[] },
): Promise<readonly Notice[]> {
  if (types.length === 0) return [];
  const known = await knownTypes(source, tenant);
  const missing = [...new Set(types)].filter((type) => !known.includes(type));
  const more = known.length > LISTED ? `, and ${known.length - LISTED} more` : "";
  const has = `it has ${known.slice(0, LISTED).join(", ")}${more}`;
  return missing.map((type) => ({
    path,
    message:
      tenant === ADMIN_TENANT
        ? `The trail of administration has no type '${type}'; ${has}.`
        : `Tenant '${tenant}' has no resource type '${type}' at present; ${has}.`,
  }));
}

async function knownTypes(source: CatalogSource, tenant: string): Promise<readonly string[]> {
  if (tenant === ADMIN_TENANT) return ADMIN_ACT_TYPES;
  return (await catalogFor(source, tenant)).models().map(({ name }) => name);
}

/** Notices of the types in the patterns of events that a receiver is to be told of. */
export function noticesOfWanted(
  source: CatalogSource,
  tenant: string,
  patterns: readonly string[] = [],
): Promise<readonly Notice[]> {
  return missingTypes(source, tenant, { path: "types", types: wantedTypes(patterns) });
}

/** The member of an answer that holds notices, where there are any. */
export function noticesMember(notices: readonly Notice[]): { readonly notices?: readonly Notice[] } {
  return notices.length === 0 ? {} : { notices };
}

/** The notices in an answer of a server; none, where an older one tells nothing. */
export function noticesIn(body: JsonObject): readonly Notice[] {
  return body["notices"] === undefined ? [] : typedIn<Notice>(body, "notices", ["path", "message"]);
}

/** Tells people of notices. */
export function tellNotices(reader: Reader, notices: readonly Notice[]): void {
  for (const { path, message } of notices) tell(reader, `notice  ${path}: ${message}`);
}
