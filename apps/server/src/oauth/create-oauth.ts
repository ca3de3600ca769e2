/**
 * OAuth over the database: the token endpoint, and what its access tokens stand for.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { RequestLimiter } from "@scim/core";
import { ScimError } from "@scim/schemas";
import {
  createTokenEndpoint,
  type CredentialSource,
  findClientToken,
  findForeignAccess,
  type ForeignAccessOptions,
  type JwtCheck,
  jwtOnDemand,
  type TokenEndpoint,
  type TokenRequestRecord,
} from "@scim/tenancy";
import type { Logger } from "pino";
import type { OpenedStore } from "../open-store.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import { createKeyReader } from "./read-keys.ts";
import { TOKEN_PATH } from "./oauth-routes.ts";

/** Makes what checks JWTs of foreign issuers: one for each process, since it keeps their keys. */
export function createJwtCheck(settings: Pick<Settings, "oauth.privateIssuers">): JwtCheck {
  const readKeys = createKeyReader(settings["oauth.privateIssuers"] === "allow");
  return jwtOnDemand({ readKeys, now: Date.now });
}

/** What sources of credentials are made of. */
export interface CredentialSourceParts {
  readonly opened: OpenedStore;
  readonly checkJwt: JwtCheck;
  readonly log: Pick<Logger, "info">;
}

/** Where the authenticator looks for what is no token of ours: access tokens of clients, and JWTs of foreign issuers. */
export function clientCredentialSources({
  opened,
  checkJwt,
  log,
}: CredentialSourceParts): readonly CredentialSource[] {
  const { clients } = opened.store;
  const foreign: ForeignAccessOptions = {
    clients,
    checkJwt,
    tenant: DEFAULT_TENANT,
    unavailable: (cause) =>
      new ScimError(
        "unavailable",
        "The public keys of the token's issuer cannot be read; send the request again.",
        { cause, headers: { "retry-after": "5" } },
      ),
    onRefused: (reason, { tenant, connection, id }) =>
      log.info({ tenant, connection, credential: id, reason }, "access token of a foreign issuer refused"),
  };
  return [
    (text) => findClientToken(text, { clients, hasher: opened.hasher }),
    (text, tenant) => findForeignAccess(text, tenant, foreign),
  ];
}

/** What the token endpoint is made of. */
export interface TokenEndpointParts {
  readonly opened: OpenedStore;
  readonly checkJwt: JwtCheck;
  readonly limiter: RequestLimiter;
  readonly log: Logger;
}

/** Makes the token endpoint. */
export function createServerTokenEndpoint({
  opened,
  checkJwt,
  limiter,
  log,
}: TokenEndpointParts): TokenEndpoint {
  const { store, hasher } = opened;
  return createTokenEndpoint({
    clients: store.clients,
    tenants: store.tenants,
    connections: store.connections,
    hasher,
    checkJwt,
    limiter,
    randomBytes,
    now: Date.now,
    onRequestDone: tokenLog(log),
  });
}

/** One line for each request, as the access log has it for SCIM: nothing of what was sent. */
function tokenLog(log: Logger): (record: TokenRequestRecord) => void {
  return ({ requestId, status, client, error, failure }) => {
    const line = {
      req: requestId,
      method: "POST",
      route: TOKEN_PATH,
      status,
      tenant: client?.tenant ?? null,
      connection: client?.connection ?? null,
      ...(client === null ? {} : { credential: client.id }),
      ...(error === null ? {} : { error: error.code, reason: error.description }),
    };
    if (status >= 500) log.error({ ...line, err: failure }, "request failed");
    else log.info(line, "request");
  };
}
