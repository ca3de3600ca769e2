/** A token endpoint and an authenticator over stores in memory, with a clock that tests move. */
import { createHmac, hash, randomBytes } from "node:crypto";
import { PROFILES, type Authenticator } from "@scim/core";
import {
  addClientSecret,
  type ClientPorts,
  clientIdOf,
  createAuthenticator,
  createClient,
  createRequestLimiter,
  createTenant,
  createTokenEndpoint,
  createTokenHasher,
  findClientToken,
  findForeignAccess,
  jwtOnDemand,
  type NewClient,
  type OAuthClient,
  type TenancyPorts,
  type TokenAnswer,
  type TokenRequestRecord,
} from "../../src/index.ts";
import { CEILINGS, GUARD, testRules } from "../administration/ports.ts";
import { createMemoryTenancy, type MemoryTenancy } from "../../src/testing/index.ts";

export const START = Date.parse("2026-11-21T08:00:00.000Z");

/** What tokens and secrets are hashed with. */
export const KEY = { id: "k", secret: new Uint8Array(32).fill(7) };

/** What a request of a test states. */
export interface Sent {
  readonly authorization?: string;
  readonly contentType?: string | undefined;
  readonly address?: string;
}

export interface OAuthService {
  readonly stores: MemoryTenancy;
  readonly ports: ClientPorts & TenancyPorts;
  /** The present; tests set it. */
  now: number;
  /** Resource types that there are; tests set them. */
  types: readonly string[];
  readonly records: TokenRequestRecord[];
  /** Why JWTs that were sent to SCIM were refused. */
  readonly refusals: string[];
  readonly authenticate: Authenticator;
  /** Sends a form to the token endpoint. */
  send(form: string | Readonly<Record<string, string>>, sent?: Sent): Promise<SentAnswer>;
  /** A client of tenant `acme` with a secret. */
  client(of?: Partial<NewClient>): Promise<MadeClient>;
}

export interface SentAnswer extends Omit<TokenAnswer, "body"> {
  readonly body: Readonly<Record<string, unknown>>;
}

export interface MadeClient extends OAuthClient {
  readonly clientId: string;
  readonly secret: string;
  readonly secretId: string;
}

export async function oauthService(
  readKeys: (address: string) => Promise<unknown> = () => Promise.reject(new Error("there are no keys")),
): Promise<OAuthService> {
  const stores = createMemoryTenancy();
  const hasher = createTokenHasher([KEY], (secret, text) =>
    createHmac("sha256", secret).update(text).digest(),
  );
  let count = 0;
  const now = (): number => service.now;
  const ports = {
    ...stores,
    hasher,
    ceilings: CEILINGS,
    guard: GUARD,
    uniqueness: testRules({}),
    resourceTypes: async () => service.types,
    randomBytes,
    newId: () => `0199-${(count += 1)}`,
    now: () => new Date(now()).toISOString(),
    random: () => 0,
    actor: { admin: "ann" },
    seal: (text: string) => text,
  };
  const records: TokenRequestRecord[] = [];
  const checkJwt = jwtOnDemand({ readKeys, now });
  const endpoint = createTokenEndpoint({
    clients: stores.clients,
    tenants: stores.tenants,
    connections: stores.connections,
    hasher,
    checkJwt,
    resourceTypes: ports.resourceTypes,
    limiter: createRequestLimiter({ now, fallback: { perSecond: 1, burst: 5 } }),
    randomBytes,
    now,
    onRequestDone: (record) => records.push(record),
  });
  const service: OAuthService = {
    stores,
    ports,
    now: START,
    types: ["User", "Group", "UserGroup"],
    records,
    refusals: [],
    authenticate: createAuthenticator({
      store: stores.tokens,
      tenants: stores.tenants,
      connections: stores.connections,
      hasher,
      now,
      profileOf: () => PROFILES.tolerant,
      cacheMs: 0,
      foreign: {
        sha256,
        hmacSha256: () => "",
        bcrypt: async () => false,
        open: () => null,
      },
      others: [
        (text) => findClientToken(text, { clients: stores.clients, hasher }),
        (text, tenant) =>
          findForeignAccess(text, tenant, {
            clients: stores.clients,
            checkJwt,
            tenant: "acme",
            unavailable: (cause) => new Error("try again", { cause }),
            onRefused: (reason) => service.refusals.push(reason),
          }),
      ],
    }),
    send: async (form, { authorization, address = "192.0.2.1", ...sent } = {}) => {
      const answer = await endpoint({
        contentType: "contentType" in sent ? sent.contentType : "application/x-www-form-urlencoded",
        authorization,
        body: typeof form === "string" ? form : new URLSearchParams(form).toString(),
        address,
        id: "r1",
      });
      const body: unknown = JSON.parse(answer.body);
      if (typeof body !== "object" || body === null) throw new TypeError("The answer is no object.");
      return { ...answer, body: { ...body } };
    },
    client: async (of = {}) => {
      const client = await createClient(ports, { tenant: "acme", createdBy: "ann", ...of });
      const { text, secret } = await addClientSecret(ports, client, { createdBy: "ann" });
      return { ...client, clientId: clientIdOf(client), secret: text, secretId: secret.id };
    },
  };
  await createTenant(ports, { tenant: "acme" });
  return service;
}

/** SHA-256 as hexadecimal digits. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/** The header of Basic, encoded as RFC 6749 §2.3.1 says. */
export function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString("base64")}`;
}
