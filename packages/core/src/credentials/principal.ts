/**
 * Who a request comes from, once its token is verified.
 * @module
 */
import type { Profile } from "../profiles/profile.ts";

/**
 * What a token may be used for. `scim` stands for all the others that begin with it; `scim:bulk` opens `/Bulk`,
 * whose operations ask for `scim:write` and `scim:delete` beside it; `scim:diagnostics` opens the diagnostics; `admin`
 * opens no SCIM address.
 */
export type Scope =
  | "scim"
  | "scim:read"
  | "scim:write"
  | "scim:delete"
  | "scim:bulk"
  | "scim:diagnostics"
  | "admin";

/** The scopes, in the order in which they are shown. */
export const SCOPES: readonly Scope[] = [
  "scim",
  "scim:read",
  "scim:write",
  "scim:delete",
  "scim:bulk",
  "scim:diagnostics",
  "admin",
];

/** Tells whether a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

/** The caller: whose data it works on, through which connection, and what it may do. */
export interface Principal {
  readonly tenant: string;
  readonly connection: string;
  readonly scopes: ReadonlySet<string>;
  /** The `id` of the resource that the caller is (`/Me`), or null. */
  readonly subject: string | null;
  /** Profile of the connection. */
  readonly profile: Profile;
}

/** Finds the principal of a token; null where the token is not valid (RFC 6750 §3.1 `invalid_token`). */
export type Authenticator = (token: string) => Promise<Principal | null>;
