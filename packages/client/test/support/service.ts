/**
 * A service in memory, and ways to reach it: in this process, or over HTTP.
 * @module
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createScimService, PROFILES, type Profile, type ServiceLimits } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createScimHandler, type ScimHandler } from "@scim/http";
import { createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";
import { onTestFinished } from "vitest";

export const TOKEN = "scim_default_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

/** What differs from a plain service. */
export interface ServiceOptions {
  readonly registry?: SchemaRegistry;
  readonly limits?: Partial<ServiceLimits>;
  /** Default true. */
  readonly cursors?: boolean;
  /** Default `tolerant`. */
  readonly profile?: Profile;
  /** Milliseconds since 1970 by the service's clock. Default: the clock of the machine. */
  readonly now?: () => number;
  /** Default: {@link TOKEN} alone is valid. */
  readonly accepts?: (token: string) => boolean;
}

/** A service in memory. */
export function aService(options: ServiceOptions = {}): ScimHandler {
  const { registry = createDefaultRegistry(), limits = {}, cursors = true, accepts } = options;
  const { profile = PROFILES.tolerant, now = Date.now } = options;
  const service = createScimService({
    registry,
    store: createMemoryStore(),
    limits,
    sources: {
      now,
      newId: () => randomUUID(),
      newNonce: () => randomBytes(5).toString("base64url"),
      digest: (text) => createHash("sha256").update(text).digest("base64url"),
    },
    ...(cursors
      ? {
          cursorSeal: {
            seal: (text: string) => Buffer.from(text).toString("base64url"),
            open: (cursor: string) => Buffer.from(cursor, "base64url").toString(),
          },
        }
      : {}),
  });
  const isValid = accepts ?? ((token: string) => token === TOKEN);
  return createScimHandler({
    service,
    authenticate: async (token) =>
      isValid(token)
        ? {
            tenant: "default",
            connection: "default",
            subject: null,
            scopes: new Set(["scim"]),
            profile,
          }
        : null,
  });
}

/** What comes between a client and a service: it may answer itself, or let the request pass. */
export type Between = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: () => Promise<void>,
) => Promise<void> | void;

/** Serves a service at an address of its own; it ends with the test. Gives the base address. */
export async function serve(handler: ScimHandler, between?: Between): Promise<string> {
  return listen(async (request, response) => {
    const pass = (): Promise<void> => answer(handler, request, response);
    await (between === undefined ? pass() : between(request, response, pass));
  });
}

/** Serves whatever a function answers. */
export async function listen(
  answering: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void,
): Promise<string> {
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    void (async () => answering(request, response))();
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
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/scim/v2`;
}

async function answer(
  handler: ScimHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await handler.handle({
    method: request.method ?? "GET",
    target: (request.url ?? "/").slice("/scim/v2".length),
    headers: request.headers,
    body: request,
    baseUrl: `http://${request.headers.host ?? ""}/scim/v2`,
    tenant: null,
    signal: undefined,
    id: randomUUID(),
  });
  response.writeHead(status, headers);
  if (body !== null) {
    if (typeof body === "string") response.write(body);
    else for await (const piece of body) response.write(piece);
  }
  response.end();
}
