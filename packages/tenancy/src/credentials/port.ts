/**
 * What the service asks of a store of credentials.
 * @module
 */
import type { AdminAct } from "../acts/admin-act.ts";
import type { ConnectionRoom } from "../connections/connection.ts";
import type { KeyPage } from "../key-page.ts";
import type { KeyedHash } from "./token-hash.ts";

/**
 * How the hash of a token was made: `keyed` by a key of the service; the others elsewhere, before the token was
 * imported: `sha256` and `hmac-sha256` as hexadecimal digits, `bcrypt` in its own form.
 */
export type TokenScheme = "keyed" | "sha256" | "hmac-sha256" | "bcrypt";

/** A stored token: never its text, only a hash. */
export interface StoredToken {
  readonly id: string;
  readonly tenant: string;
  readonly connection: string;
  /** Hash of the token: base64url where it is `keyed`. Of a revoked token it is gone. */
  readonly hash: string;
  /** Which key made the hash. */
  readonly keyId: string;
  readonly scheme: TokenScheme;
  /** The key of an `hmac-sha256` that was made elsewhere, sealed; else null. */
  readonly sealedKey: string | null;
  /** Names of scopes, such as `scim`, `scim:read` or `scim:read:User`. */
  readonly scopes: readonly string[];
  /** The `id` of the resource that `/Me` stands for, or null. */
  readonly subject: string | null;
  /** UTC with milliseconds, or null for none. */
  readonly expires: string | null;
  readonly created: string;
  /** What people call it, or null. */
  readonly name: string | null;
  /** Who made it, such as `command line` or the name of an administrator; null where nobody noted it. */
  readonly createdBy: string | null;
  /** When it was last used, to the minute; null for never. */
  readonly lastUsed: string | null;
  /** When it was revoked, or null. */
  readonly revoked: string | null;
}

/** A token of a tenant. */
export interface TokenName {
  readonly tenant: string;
  readonly id: string;
}

/** Which tokens of a tenant are listed; without anything all of them. */
export interface TokenSelection {
  /** Those of this connection alone. */
  readonly connection?: string | null;
  /** The one of this id alone. */
  readonly id?: string;
  readonly page?: KeyPage;
}

/** Port of tokens. An act that is given is told in the transaction of the write, or neither is kept. */
export interface TokenStore {
  /** Tokens of a tenant whose hash is one of those given; none that is revoked. */
  findTokens(tenant: string, hashes: readonly string[]): Promise<readonly StoredToken[]>;
  /**
   * Tokens of a tenant whose hash was made elsewhere and that no look-up by a hash finds, since a key or a salt went into it:
   * `hmac-sha256` and `bcrypt`; none that is revoked or has ended.
   * @param at the present, UTC with milliseconds
   */
  findForeignTokens(tenant: string, at: string): Promise<readonly StoredToken[]>;
  /**
   * Adds a token.
   * @param of the connection that has to be there while it is added, and how many tokens of its scheme the tenant may have that
   *   are neither revoked nor at an end when it is made, this one among them; default none has to be there
   * @returns false where that connection is gone, or there are as many already: nothing is added then
   * @throws TypeError where the tenant has a token of this id or hash
   */
  addToken(token: StoredToken, act?: AdminAct, of?: ConnectionRoom): Promise<boolean>;
  /**
   * Tokens of a tenant, revoked ones among them, in the order of their ids: what the service makes has ids in the order
   * of its making.
   */
  listTokens(tenant: string, which?: TokenSelection): Promise<readonly StoredToken[]>;
  /** Revokes a token for good. Resolves to whether there was one that was not revoked. */
  revokeToken(token: TokenName, at: string, act?: AdminAct): Promise<boolean>;
  /** Takes a token away, as if it had never been. Resolves to whether there was such a token. */
  removeToken(tenant: string, id: string): Promise<boolean>;
  /**
   * Removes tokens that were revoked, or ended, before an instant: at most `limit`. Those that a start of the server made stay, and
   * of others the one that was made last: by them a later start knows that there were some, and makes none again.
   * @returns how many it removed
   */
  purgeTokens(tenant: string, before: string, limit: number): Promise<number>;
  /**
   * Puts a hash of the service in place of one that was made elsewhere. Another token of the tenant that has it, since it was
   * imported for the same text, loses it where it has ended; else all stays as it is.
   * @param at the present, UTC with milliseconds
   */
  rehashToken(token: TokenName, hash: KeyedHash, at: string): Promise<void>;
  /** Notes that a token was used, unless a use since `before` is noted. */
  noteUse(token: TokenName, use: { readonly at: string; readonly before: string }): Promise<void>;
}
