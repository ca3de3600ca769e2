/** A server with streams of Security Event Tokens, and a receiver that verifies them as RFC 8935 and 8936 say. */
import type { JsonObject } from "@scim/schemas";
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type ProtectedHeaderParameters } from "jose";
import type { Logger } from "pino";
import { expect } from "vitest";
import { ADMIN_TOKEN, startAdministered } from "../admin/admin-client.ts";
import { SECRET_KEYS } from "../over-http/engines.ts";
import { exchange, type WireAnswer } from "../over-http/exchange.ts";

export const AUDIENCE = "https://them.example";
export const STREAMS = "/tenants/default/streams";

const ENVIRONMENT = {
  SCIM_DATABASE_URL: "sqlite::memory:",
  SCIM_SECRET_KEYS: SECRET_KEYS,
  SCIM_DELIVERY_PRIVATE_ADDRESSES: "allow",
  SCIM_DELIVERY_PLAIN_HTTP: "allow",
};

/** A token whose signature, issuer and audience are good. */
export interface Verified {
  readonly payload: JWTPayload;
  readonly header: ProtectedHeaderParameters;
}

export async function startStreams(environment: Readonly<Record<string, string>> = {}, log?: Logger) {
  const server = await startAdministered({ ...ENVIRONMENT, ...environment }, log);
  const send = (method: string, path: string, body: JsonObject = {}): Promise<WireAnswer> =>
    exchange(server.origin, {
      method,
      path: `/admin/v1${path}`,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const keySet = createRemoteJWKSet(new URL("/.well-known/jwks.json", server.origin), {
    cooldownDuration: 0,
  });
  return {
    ...server,
    send,
    /** Makes a stream. */
    stream: async (wanted: JsonObject): Promise<JsonObject> => {
      const { status, body, text } = await send("POST", STREAMS, { audience: AUDIENCE, ...wanted });
      expect(status, text).toBe(201);
      return body;
    },
    /** Polls a stream as its receiver. */
    poll: (stream: JsonObject, request: JsonObject = {}): Promise<WireAnswer> =>
      exchange(server.origin, {
        method: "POST",
        path: `/events/default/${String(stream["id"])}/poll`,
        headers: {
          authorization: `Bearer ${String(stream["token"])}`,
          "content-type": "application/json",
          accept: "application/json",
        },
        body: JSON.stringify({ returnImmediately: true, ...request }),
      }),
    /** Verifies a token by the keys that the server publishes. */
    verify: async (token: string): Promise<Verified> => {
      const { payload, protectedHeader } = await jwtVerify(token, keySet, {
        issuer: `${server.origin}/scim/default/v2`,
        audience: AUDIENCE,
        typ: "secevent+jwt",
        algorithms: ["ES256"],
      });
      return { payload, header: protectedHeader };
    },
  };
}

/** The event URIs of a token. */
export function urisOf({ payload }: Verified): readonly string[] {
  return Object.keys(payload["events"] ?? {});
}

/** Tokens of the answer to a poll, by id. */
export function tokensOf({ body }: WireAnswer): ReadonlyMap<string, string> {
  // The server under test answered it.
  return new Map(Object.entries(body["sets"] as Record<string, string>));
}
