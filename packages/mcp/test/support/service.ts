/**
 * A service in memory, and the tools on it.
 * @module
 */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createScimService, PROFILES, type ResourceStore, type ServiceLimits } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { createScimClient } from "@scim/client/fetch";
import { createInProcessTransport } from "@scim/client/in-process";
import { createScimHandler, type ScimHandler } from "@scim/http";
import { createScimTools, ToolError, type ScimTools, type ScimToolsOptions } from "@scim/mcp";
import { createDefaultRegistry, type JsonObject, type SchemaRegistry } from "@scim/schemas";

/** What differs from a plain service. */
export interface ServiceOptions {
  readonly registry?: SchemaRegistry;
  readonly limits?: Partial<ServiceLimits>;
  /** Default: one in memory. */
  readonly store?: ResourceStore;
  /** Scopes of the token. Default `scim`. */
  readonly scopes?: readonly string[];
}

/** A handler of a service in memory that takes any token. */
export function aService({
  registry = createDefaultRegistry(),
  limits = {},
  store = createMemoryStore(),
  scopes = ["scim"],
}: ServiceOptions = {}): ScimHandler {
  const service = createScimService({
    registry,
    store,
    limits,
    sources: {
      now: () => Date.now(),
      newId: () => randomUUID(),
      newNonce: () => randomBytes(5).toString("base64url"),
      digest: (text) => createHash("sha256").update(text).digest("base64url"),
    },
    cursorSeal: {
      seal: (text: string) => Buffer.from(text).toString("base64url"),
      open: (cursor: string) => Buffer.from(cursor, "base64url").toString(),
    },
  });
  return createScimHandler({
    service,
    authenticate: async () => ({
      tenant: "default",
      connection: "default",
      subject: null,
      scopes: new Set(scopes),
      profile: PROFILES.tolerant,
    }),
  });
}

/** Tools on a service. */
export function aToolbox(
  options: Omit<ScimToolsOptions, "client"> = {},
  handler: ScimHandler = aService(),
): ScimTools {
  const client = createScimClient({
    baseUrl: "https://id.example/scim/v2",
    auth: "any",
    transport: createInProcessTransport(handler),
    retries: { attempts: 1 },
  });
  return createScimTools({ client, ...options });
}

/** The error that a call ends with. */
export async function refusal(call: Promise<unknown>): Promise<ToolError> {
  const ended = await call.then(
    (result: unknown) => result,
    (error: unknown) => error,
  );
  if (ended instanceof ToolError) return ended;
  throw new TypeError(`The call was not refused: ${JSON.stringify(ended)}`);
}

/** The raw version of a resource. */
export function versionOf({ meta }: JsonObject): string {
  const { version } = meta as { readonly version: string };
  return version;
}
