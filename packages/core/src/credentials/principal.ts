/**
 * Who a request comes from, once its token is verified.
 * @module
 */
import type { Profile } from "../profiles/profile.ts";
import type { RequestRate } from "./request-limiter.ts";

/**
 * What a token may be used for. `scim` stands for all the others that begin with it; `scim:bulk` opens `/Bulk`,
 * whose operations ask for `scim:write` and `scim:delete` beside it; `scim:diagnostics` opens the diagnostics;
 * scopes of administrators open no SCIM address. With the name of a resource type behind it, a scope is good for that type alone:
 * `scim:read:User`.
 */
export type Scope = ServiceScope | TypeScope | AdminScope;

/**
 * What a token of an administrator may be used for: everything (`admin`), the running of all tenants, reading without
 * values of persons, or one tenant.
 */
export type AdminScope = "admin" | "admin:operator" | "admin:support" | `admin:tenant:${string}`;

/** What a token may be used for with one resource type: `scim:read:User`, `scim:write:Group`, `scim:delete:Device`. */
export type TypeScope = `scim:${"read" | "write" | "delete"}:${string}`;

/** What a token may be used for, whatever the resource type. */
export type ServiceScope =
  | "scim"
  | "scim:read"
  | "scim:write"
  | "scim:delete"
  | "scim:bulk"
  | "scim:diagnostics"
  | "admin";

/** The scopes that are good for every resource type, in the order in which they are shown. */
export const SCOPES: readonly ServiceScope[] = [
  "scim",
  "scim:read",
  "scim:write",
  "scim:delete",
  "scim:bulk",
  "scim:diagnostics",
  "admin",
];

const TYPE_SCOPE = /^scim:(?:read|write|delete):[A-Za-z][A-Za-z0-9_-]{0,127}$/;

const ADMIN_SCOPE = /^admin(?::operator|:support|:tenant:[a-z0-9][a-z0-9-]{0,62})?$/;

/**
 * Tells whether a text is the name of a scope; of a resource type or a tenant that is named in it, only the form is
 * looked at.
 */
export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text) || TYPE_SCOPE.test(text) || isAdminScope(text);
}

/** Tells whether a text is the name of a scope of administrators. */
export function isAdminScope(text: string): text is AdminScope {
  return ADMIN_SCOPE.test(text);
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
  /** Id of the credential that was sent, by which logs, audit and limits name it; never its text. Default: unknown. */
  readonly credential?: string | undefined;
  /** What people call the credential. Default: unknown. */
  readonly name?: string | null | undefined;
  /** How many requests the connection may send. Null or left out: what the service is set to. */
  readonly rate?: RequestRate | null | undefined;
}

/** The request that a token came with. */
export interface AskingRequest {
  /** By which a log names it. */
  readonly id?: string | undefined;
  /** Address of the client: addresses take turns where a token takes long to verify. */
  readonly address?: string | undefined;
}

/**
 * Finds the principal of a token; null where the token is not valid (RFC 6750 §3.1 `invalid_token`).
 * @param tenant the tenant that the address names, or null: tokens that name none are looked for there alone
 * @param request the request that it is asked for
 */
export type Authenticator = (
  token: string,
  tenant: string | null,
  request?: AskingRequest,
) => Promise<Principal | null>;
