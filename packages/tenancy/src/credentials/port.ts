/**
 * What the service asks of a store of credentials.
 * @module
 */

/** A stored token: never its text, only a keyed hash. */
export interface StoredToken {
  readonly id: string;
  readonly tenant: string;
  readonly connection: string;
  /** Keyed hash of the token, base64url. */
  readonly hash: string;
  /** Which key made the hash. */
  readonly keyId: string;
  /** Names of scopes, such as `scim` or `scim:read`. */
  readonly scopes: readonly string[];
  /** The `id` of the resource that `/Me` stands for, or null. */
  readonly subject: string | null;
  /** UTC with milliseconds, or null for none. */
  readonly expires: string | null;
  readonly created: string;
}

/** Port of tokens. */
export interface TokenStore {
  /** Tokens of a tenant whose hash is one of those given. */
  findTokens(tenant: string, hashes: readonly string[]): Promise<readonly StoredToken[]>;
  addToken(token: StoredToken): Promise<void>;
  listTokens(tenant: string): Promise<readonly StoredToken[]>;
  /** Resolves to whether there was such a token. */
  removeToken(tenant: string, id: string): Promise<boolean>;
}
