/**
 * What the service asks of a store of OAuth clients.
 * @module
 */
import type { AdminAct } from "../acts/admin-act.ts";
import type { ConnectionRoom } from "../connections/connection.ts";
import type { KeyPage } from "../key-page.ts";
import type {
  AccessToken,
  ClientCredentialName,
  ClientName,
  ClientSecret,
  ClientTrust,
  OAuthClient,
} from "./client.ts";

/** An assertion that was used, as far as it must not be used again. */
export interface UsedAssertion {
  /** Its `jti`. */
  readonly jti: string;
  /** Until when it is noted: behind its end, since no two clocks are the same. */
  readonly expires: string;
}

/** What a JWT says of itself, before anything is believed of it. */
export interface TrustQuery {
  readonly issuer: string;
  /** Values of the claims that may name its subject. */
  readonly subjects: readonly string[];
}

/** An access token, or a trust, with the client that it belongs to. */
export type WithClient<Kind extends "token" | "trust", Of> = Readonly<Record<Kind, Of>> & {
  readonly client: OAuthClient;
};

/**
 * Port of OAuth clients, their credentials and access tokens. An act that is given is told in the transaction of the
 * write, or neither is kept.
 */
export interface ClientStore {
  findClient(name: ClientName): Promise<OAuthClient | null>;
  /**
   * The clients of a tenant, or of one of its connections, in the order of their ids, which is that of their making.
   * @param page default all of them
   */
  listClients(tenant: string, connection: string | null, page?: KeyPage): Promise<readonly OAuthClient[]>;
  /**
   * Adds a client.
   * @param of the connection that has to be there while it is added, and how many clients it may have; default none has to
   * @returns false where that connection is gone, or has as many already: nothing is added then
   * @throws TypeError where the tenant has a client of this id
   */
  addClient(client: OAuthClient, act?: AdminAct, of?: ConnectionRoom): Promise<boolean>;
  /** Writes a client with its new revision. Resolves to false where the stored one has not the revision `before`. */
  replaceClient(client: OAuthClient, before: number, act?: AdminAct): Promise<boolean>;
  /**
   * Takes a client away, with its secrets, trusts and access tokens, at once. Resolves to false where none is stored with
   * its revision.
   */
  removeClient(client: ClientName & Pick<OAuthClient, "revision">, act?: AdminAct): Promise<boolean>;

  /** The secrets of a client in the order in which they were made. */
  listSecrets(client: ClientName): Promise<readonly ClientSecret[]>;
  /**
   * Adds a secret.
   * @param most secrets that the client may have which end behind the making of this one; default as many as come
   * @returns false where the client is gone, or has as many already: nothing is added then
   * @throws TypeError where the client has a secret of this id
   */
  addSecret(secret: ClientSecret, act?: AdminAct, most?: number): Promise<boolean>;
  /** Takes a secret away, with the access tokens that were given for it. Resolves to whether there was one. */
  removeSecret(name: ClientCredentialName, act?: AdminAct): Promise<boolean>;
  /**
   * Removes secrets of a tenant that ended before an instant: at most `limit`.
   * @returns how many it removed
   */
  purgeSecrets(tenant: string, before: string, limit: number): Promise<number>;

  /** The trusts of a client in the order in which they were made. */
  listTrusts(client: ClientName): Promise<readonly ClientTrust[]>;
  /** Trusts of a tenant for access tokens, with this issuer and one of these subjects, whatever the claim. */
  findAccessTrusts(tenant: string, query: TrustQuery): Promise<readonly WithClient<"trust", ClientTrust>[]>;
  /**
   * Adds a trust.
   * @param most trusts that the client may have; default as many as come
   * @returns false where the client is gone, has as many already, or one for the same JWTs, and where an access token with
   *   these claims leads to a client of the tenant already, since it leads to one at most: nothing is added then
   */
  addTrust(trust: ClientTrust, act?: AdminAct, most?: number): Promise<boolean>;
  /** Takes a trust away, with the access tokens that were given for it. Resolves to whether there was one. */
  removeTrust(name: ClientCredentialName, act?: AdminAct): Promise<boolean>;

  /**
   * Adds an access token, and notes the use of its credential. Expired ones of the tenant go, some at a time.
   * @param used the assertion that it is given for, where it may be used once
   * @returns false where the client has used that assertion before: nothing is added then
   */
  addAccessToken(token: AccessToken, used: UsedAssertion | null): Promise<boolean>;
  /**
   * Removes access tokens that had expired at an instant, and notes of assertions that could not be used any more: at most `limit` of
   * each.
   * @returns how many access tokens it removed
   */
  purgeExpired(tenant: string, at: string, limit: number): Promise<number>;
  /** Access tokens of a tenant whose hash is one of those given, with their clients; none whose secret or trust is gone. */
  findAccessTokens(
    tenant: string,
    hashes: readonly string[],
  ): Promise<readonly WithClient<"token", AccessToken>[]>;
}
