/**
 * OAuth over the database: the token endpoint, and what its access tokens stand for.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { RequestLimiter } from "@scim/core";
import {
  createTokenEndpoint,
  type CredentialSource,
  findClientToken,
  type JwtCheck,
  jwtOnDemand,
  type TokenEndpoint,
  type TokenRequestRecord,
} from "@scim/tenancy";
import type { Logger } from "pino";
import type { OpenedStore } from "../open-store.ts";
import type { Settings } from "../settings/table.ts";
import { createKeyReader } from "./read-keys.ts";
import { TOKEN_PATH } from "./oauth-routes.ts";

/** Makes what checks JWTs of foreign issuers: one for each process, since it keeps their keys. */
export function createJwtCheck(settings: Pick<Settings, "oauth.privateIssuers">): JwtCheck {
  const readKeys = createKeyReader(settings["oauth.privateIssuers"] === "on");
  return jwtOnDemand({ readKeys, now: Date.now });
}

/** Where the authenticator looks for what is no token of the store. */
export function clientCredentialSources({ store, hasher }: OpenedStore): readonly CredentialSource[] {
  return [(text) => findClientToken(text, { clients: store.clients, hasher })];
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
