/**
 * Authentication of clients at the token endpoint: by a secret (RFC 6749 §2.3.1) or by a JWT of an issuer that an
 * administrator entered (RFC 7523 §2.2).
 * @module
 */
import type { Connection, ConnectionStore } from "../connections/connection.ts";
import { equalInConstantTime, type TokenHasher } from "../credentials/token-hash.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import {
  SUBJECT_CLAIMS,
  type ClientName,
  type ClientSecret,
  type ClientTrust,
  type OAuthClient,
} from "./client.ts";
import type { ClientStore, UsedAssertion } from "./client-store.ts";
import { clientOfId, isSecretText } from "./client-text.ts";
import { readUnverified } from "./jwt/foreign-jwt.ts";
import type { JwtCheck, VerifiedJwt } from "./jwt/verify-jwt.ts";
import { OAuthError } from "./oauth-error.ts";
import type { ClientProof } from "./token-request.ts";

/** What authentication needs from outside. */
export interface ClientAuthentication {
  readonly clients: ClientStore;
  readonly tenants: Pick<TenantStore, "find">;
  readonly connections: Pick<ConnectionStore, "find">;
  readonly hasher: TokenHasher;
  readonly checkJwt: JwtCheck;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
}

/** A client that proved to be who it says. */
export interface AuthenticatedClient {
  readonly client: OAuthClient;
  readonly connection: Connection;
  /** The secret or the trust that proved it. */
  readonly credential: string;
  /** The assertion, where it may be used once. */
  readonly used: UsedAssertion | null;
}

/** What is wrong with a proof, for logs alone. */
const UNPROVEN: Readonly<Record<ClientProof["kind"], string>> = {
  secret: "The secret is none of the client's.",
  assertion:
    "The client has no trust with the issuer, audience and subject of the assertion, or it is no signed JWT.",
};

type Proven = Pick<AuthenticatedClient, "credential" | "used">;

/**
 * Authenticates a client.
 * @throws OAuthError `invalid_client`, in the same words whether the client, its secret or its trust is unknown;
 *   `temporarily_unavailable` where the keys of an issuer cannot be read
 */
export async function authenticateClient(
  proof: ClientProof,
  options: ClientAuthentication,
): Promise<AuthenticatedClient> {
  const name = clientOfId(proof.clientId);
  if (name === null) throw unknown("The client_id is none of this service.");
  const [client, proven] = await Promise.all([
    options.clients.findClient(name),
    proof.kind === "secret"
      ? provenBySecret(name, proof.secret, options)
      : provenByAssertion(name, proof.assertion, options),
  ]);
  if (client === null) throw unknown("There is no such client.");
  if (proven === null) throw unknown(UNPROVEN[proof.kind]);
  return { client, ...proven, connection: await activeConnection(client, options) };
}

async function activeConnection(
  { tenant, connection, state }: OAuthClient,
  options: ClientAuthentication,
): Promise<Connection> {
  const [row, of] = await Promise.all([
    options.tenants.find(tenant),
    options.connections.find(tenant, connection),
  ]);
  // Unlike tokens, clients are older than neither tenants nor connections with rows of their own.
  if (state === "active" && row?.state === "active" && of?.state === "active") return of;
  throw new OAuthError("invalid_client", "The client, its connection or its tenant is suspended.");
}

async function provenBySecret(
  name: ClientName,
  text: string,
  { clients, hasher, now }: ClientAuthentication,
): Promise<Proven | null> {
  if (!isSecretText(text)) return null;
  const candidates = hasher.candidates(text);
  const isOf = ({ hash, keyId }: ClientSecret): boolean =>
    candidates.some((candidate) => candidate.keyId === keyId && equalInConstantTime(candidate.hash, hash));
  const secret = (await clients.listSecrets(name)).find(isOf);
  if (secret === undefined) return null;
  if (Date.parse(secret.expires) > now()) return { credential: secret.id, used: null };
  throw new OAuthError("invalid_client", "The secret is expired.");
}

async function provenByAssertion(
  name: ClientName,
  text: string,
  options: ClientAuthentication,
): Promise<Proven | null> {
  const trust = await trustOf(name, text, options);
  if (trust === null) return null;
  const outcome = await options.checkJwt(text, trust);
  switch (outcome.kind) {
    case "good":
      return { credential: trust.id, used: usedOf(outcome.jwt, trust) };
    case "refused":
      throw new OAuthError("invalid_client", `The assertion is refused. ${outcome.reason}`);
    case "unavailable":
      throw new OAuthError(
        "temporarily_unavailable",
        "The public keys of the issuer of the assertion cannot be read; send the request again.",
        { cause: outcome.cause },
      );
  }
}

/** The trust of the client that the claims of an assertion are meant for: its keys decide whether they are true. */
async function trustOf(
  name: ClientName,
  text: string,
  { clients }: ClientAuthentication,
): Promise<ClientTrust | null> {
  const claims = readUnverified(text, SUBJECT_CLAIMS);
  if (claims === null) return null;
  const trusts = await clients.listTrusts(name);
  return (
    trusts.find(
      ({ purpose, issuer, audience, claim, subject }) =>
        purpose === "assertion" &&
        issuer === claims.issuer &&
        claims.audiences.includes(audience) &&
        claims.subjects.get(claim) === subject,
    ) ?? null
  );
}

/**
 * For how long an assertion stays noted behind its end, in milliseconds (one hour): a request that was checked just before it is
 * written just behind it, and the clock of another machine may be behind.
 */
const NOTED_MS = 3_600_000;

function usedOf({ jti, expires }: VerifiedJwt, { requireJti }: ClientTrust): UsedAssertion | null {
  if (jti !== null) return { jti, expires: new Date(expires + NOTED_MS).toISOString() };
  if (!requireJti) return null;
  throw new OAuthError("invalid_client", "The assertion is refused. It has no jti.");
}

function unknown(reason: string): OAuthError {
  return new OAuthError(
    "invalid_client",
    "The client is not known, or what it proves itself with is not valid.",
    { reason },
  );
}
