/**
 * OAuth over the database: the token endpoint, and what its access tokens stand for.
 * @module
 */
import { randomBytes } from "node:crypto";
import type { RequestLimiter } from "@scim/core";
import type { RequestRecord } from "@scim/http";
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
import { typesOfTenants } from "../administration/ports.ts";
import type { OpenedStore } from "../store/open-store.ts";
import { DEFAULT_TENANT, type Settings } from "../settings/table.ts";
import { keysUnavailable } from "./keys-unavailable.ts";
import { createKeyReader } from "./read-keys.ts";
import { TOKEN_PATH } from "./oauth-routes.ts";

/** What is set of foreign issuers. */
type IssuerSettings = Pick<Settings, "oauth.privateIssuers">;

/** Makes what reads the JSON that a foreign issuer publishes. */
export function createIssuerReader(settings: IssuerSettings): (address: string) => Promise<unknown> {
  return createKeyReader(settings["oauth.privateIssuers"] === "allow");
}

/** Makes what checks JWTs of foreign issuers: one for each process, since it keeps their keys. */
export function createJwtCheck(settings: IssuerSettings): JwtCheck {
  return jwtOnDemand({ readKeys: createIssuerReader(settings), now: Date.now });
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
  const foreignIn = (req: string | null): ForeignAccessOptions => ({
    clients,
    checkJwt,
    tenant: DEFAULT_TENANT,
    unavailable: keysUnavailable,
    onRefused: (reason, { tenant, connection, id }) =>
      log.info(
        { req, tenant, connection, credential: id, reason },
        "access token of a foreign issuer refused",
      ),
  });
  return [
    (text) => findClientToken(text, { clients, hasher: opened.hasher }),
    (text, tenant, requestId) => findForeignAccess(text, tenant, foreignIn(requestId)),
  ];
}

/** What the token endpoint is made of. */
export interface TokenEndpointParts {
  readonly opened: OpenedStore;
  readonly checkJwt: JwtCheck;
  readonly limiter: RequestLimiter;
  readonly log: Pick<Logger, "info">;
  /** Told of each request when it is answered, as of those of SCIM. */
  readonly onRequestDone: (record: RequestRecord) => void;
}

/** Makes the token endpoint. */
export function createServerTokenEndpoint(parts: TokenEndpointParts): TokenEndpoint {
  const { opened, checkJwt, limiter } = parts;
  const { store, hasher } = opened;
  return createTokenEndpoint({
    clients: store.clients,
    tenants: store.tenants,
    connections: store.connections,
    hasher,
    checkJwt,
    limiter,
    resourceTypes: typesOfTenants(opened),
    randomBytes,
    now: Date.now,
    onRequestDone: tellingOf(parts),
  });
}

/** What the access log and metrics know of a request; why a token was refused stands in a line of its own. */
function tellingOf({ log, onRequestDone }: TokenEndpointParts): (record: TokenRequestRecord) => void {
  return ({ requestId, status, client, claimed, durationMs, error, failure }) => {
    const of = {
      tenant: client?.tenant ?? null,
      connection: client?.connection ?? null,
      credential: client?.id ?? null,
    };
    if (error !== null) {
      const { code, reason } = error;
      log.info({ req: requestId, ...of, claimed, error: code, reason }, "access token refused");
    }
    onRequestDone({
      requestId,
      method: "POST",
      route: TOKEN_PATH,
      status,
      durationMs,
      ...of,
      switches: [],
      failedOperations: [],
      filterPlan: null,
      errorCode: null,
      failure,
      aborted: false,
      late: false,
    });
  };
}
