/**
 * A real issuer of JWTs, on a port of its own: an OpenID provider whose key can be changed while it runs.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { Provider } from "oidc-provider";
import { onTestFinished } from "vitest";
import { exchange } from "../over-http/exchange.ts";

/** An issuer that runs. */
export interface OidcIssuer {
  readonly issuer: string;
  readonly jwksUri: string;
  /** The subject of its JWTs, unless another is asked for. */
  readonly subject: string;
  /** A new JWT for an audience, of one of its subjects. */
  token(audience: string, subject?: string): Promise<string>;
  /** Signs with a new key from now on, and publishes it alone. */
  rotate(): Promise<void>;
  /** How often its keys were read. */
  reads(): number;
}

const SUBJECT = "provisioning";
/** Those who get JWTs of it; the claim `sub` is their name. */
const SUBJECTS = [SUBJECT, "sub-ann", "sub-ben", "sub-cid", "sub-eve"];
const SECRET = "a-secret-of-each";
/** One of them is in groups, which all JWTs of it say. */
const GROUPS: Readonly<Record<string, readonly string[]>> = { "sub-eve": ["staff", "scim people"] };

/** Starts an issuer, which ends with the test. */
export async function startIssuer(): Promise<OidcIssuer> {
  let reads = 0;
  let handle: ReturnType<Provider["callback"]> | null = null;
  const server = createServer((request, response) => {
    if (request.url === "/jwks") reads += 1;
    void handle?.(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  let keys = 0;
  const rotate = async (): Promise<void> => {
    keys += 1;
    handle = provider(issuer, await newKey(`key-${keys}`)).callback();
  };
  await rotate();
  return {
    issuer,
    jwksUri: `${issuer}/jwks`,
    subject: SUBJECT,
    rotate,
    reads: () => reads,
    token: async (audience, subject = SUBJECT) => {
      const { body, text } = await exchange(issuer, {
        method: "POST",
        path: "/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          grant_type: "client_credentials",
          scope: "scim",
          resource: audience,
          client_id: subject,
          client_secret: SECRET,
        }).toString(),
      });
      const token = body["access_token"];
      if (typeof token === "string") return token;
      throw new Error(`The issuer gave no token: ${text}`);
    },
  };
}

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
}

function provider(issuer: string, key: JWK): Provider {
  return new Provider(issuer, {
    jwks: { keys: [key] },
    scopes: ["scim"],
    extraTokenClaims: (_context, { clientId = "" }) => ({ groups: GROUPS[clientId] }),
    clients: SUBJECTS.map((subject) => ({
      client_id: subject,
      client_secret: SECRET,
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
    })),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({
          audience,
          scope: "scim",
          accessTokenFormat: "jwt",
          accessTokenTTL: 3600,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
}
