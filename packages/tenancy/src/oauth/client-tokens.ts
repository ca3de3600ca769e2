/**
 * Access tokens of clients, found again when they are sent.
 * @module
 */
import type { CredentialGrant } from "../credentials/credential-grant.ts";
import { equalInConstantTime, type TokenHasher } from "../credentials/token-hash.ts";
import { tenantOfToken } from "../credentials/token-text.ts";
import type { OAuthClient } from "./client.ts";
import type { ClientStore } from "./client-store.ts";
import { partsOf } from "./granted-scopes.ts";

/** What finding needs from outside. */
export interface ClientTokenOptions {
  readonly clients: Pick<ClientStore, "findAccessTokens">;
  readonly hasher: TokenHasher;
}

/** What the access token of a client stands for; null where the text is none, or its client is suspended or gone. */
export async function findClientToken(
  text: string,
  { clients, hasher }: ClientTokenOptions,
): Promise<CredentialGrant | null> {
  const tenant = tenantOfToken(text);
  if (tenant === null) return null;
  const candidates = hasher.candidates(text);
  const found = await clients.findAccessTokens(
    tenant,
    candidates.map(({ hash }) => hash),
  );
  const match = found.find(({ token }) =>
    candidates.some(({ keyId, hash }) => keyId === token.keyId && equalInConstantTime(hash, token.hash)),
  );
  return match === undefined ? null : grantOf(match.client, match.token);
}

/** What a client may do by a credential; null where it is suspended. */
export function grantOf(
  client: OAuthClient,
  { scopes, expires }: Pick<CredentialGrant, "scopes" | "expires">,
): CredentialGrant | null {
  if (client.state !== "active") return null;
  const { tenant, connection, id, name } = client;
  // What was taken from the client since is not good any more; of `scim` the rest of it is.
  const kept = new Set(scopes.flatMap((scope) => partsOf(scope, client.scopes)));
  return { tenant, connection, id, name, scopes: [...kept], subject: null, expires };
}
