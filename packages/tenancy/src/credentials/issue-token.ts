/**
 * Issuing tokens. The text is shown once; the store gets a keyed hash.
 * @module
 */
import type { Scope } from "@scim/core";
import type { AdminAct } from "../acts/admin-act.ts";
import { noSuchConnection } from "../administration/tenancy-error.ts";
import type { ConnectionName } from "../connections/connection.ts";
import type { StoredToken, TokenStore } from "./port.ts";
import type { TokenHasher } from "./token-hash.ts";
import { ADMIN_TENANT, isTenantName, newTokenText, TOKEN_FORM, tenantOfToken } from "./token-text.ts";

/** What a new token is for. */
export interface TokenGrant {
  /** Name under which the token is listed and revoked. */
  readonly id: string;
  readonly tenant: string;
  readonly connection: string;
  readonly scopes: readonly Scope[];
  /** The `id` of the resource that `/Me` stands for, or null. */
  readonly subject: string | null;
  /** When it ends, UTC with milliseconds, or null for never. */
  readonly expires: string | null;
  /** What people call it, or null. */
  readonly name: string | null;
  /** Who makes it, or null where nobody notes it. */
  readonly createdBy: string | null;
}

/** What issuing needs from outside. */
export interface TokenIssuing {
  readonly store: TokenStore;
  readonly hasher: TokenHasher;
  /** Unpredictable bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** The present, UTC with milliseconds. */
  readonly now: () => string;
  /** What is told of it, in the transaction that stores it. Default: nothing. */
  readonly act?: ((token: StoredToken) => AdminAct) | undefined;
  /** The connection that has to be there while it is stored. Default: none has to. */
  readonly of?: ConnectionName | undefined;
}

/**
 * Issues a token and stores its hash. Resolves to its text, which nothing can show again.
 * @throws TypeError where the tenant's name cannot stand in a token
 * @throws TenancyError `notFound` where the connection is gone
 *
 * @example
 * const text = await issueToken(
 *   { id, tenant: "default", connection: "default", scopes: ["scim"], subject: null, expires: null, name: null, createdBy: null },
 *   { store, hasher, randomBytes, now },
 * );
 */
export async function issueToken(grant: TokenGrant, issuing: TokenIssuing): Promise<string> {
  const text = newTokenText(grant.tenant, issuing.randomBytes);
  await registerToken(text, grant, issuing);
  return text;
}

/**
 * Stores the hash of a token whose text was chosen elsewhere, such as by an operator.
 * @throws TypeError where the text has not the form of a token of that tenant
 * @throws TenancyError `notFound` where the connection is gone
 */
export async function registerToken(
  text: string,
  grant: TokenGrant,
  issuing: Omit<TokenIssuing, "randomBytes">,
): Promise<StoredToken> {
  if (grant.tenant !== ADMIN_TENANT && !isTenantName(grant.tenant)) {
    throw new TypeError(
      `'${grant.tenant}' cannot name a tenant: use a-z, 0-9 and, behind the first, -; at most 63, not v and digits.`,
    );
  }
  if (tenantOfToken(text) !== grant.tenant) {
    throw new TypeError(
      `A token of tenant '${grant.tenant}' has the form ${TOKEN_FORM.replace("<tenant>", grant.tenant)}.`,
    );
  }
  const token: StoredToken = {
    ...grant,
    ...issuing.hasher.sign(text),
    scheme: "keyed",
    sealedKey: null,
    created: issuing.now(),
    lastUsed: null,
    revoked: null,
  };
  if (await issuing.store.addToken(token, issuing.act?.(token), issuing.of)) return token;
  throw noSuchConnection(grant);
}
