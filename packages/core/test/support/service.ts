/**
 * A service for tests: in memory, with a clock that ticks and ids that count.
 * @module
 */
import { createHash } from "node:crypto";
import { createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";
import {
  createScimService,
  PROFILES,
  type Profile,
  type CursorSeal,
  type ProfileName,
  type RequestContext,
  type ResourceStore,
  type ScimService,
  type ServiceLimits,
  type Sources,
} from "../../src/index.ts";
import { createMemoryStore } from "../../src/testing/index.ts";
import { createTestClient, type TestClient } from "./client.ts";

/** A service and what stands around it. */
export interface TestService {
  readonly service: ScimService;
  readonly store: ResourceStore;
  readonly registry: SchemaRegistry;
  /** Switches that fired since the start, as `name path`. */
  readonly fired: string[];
  /** A context under a profile: of the default tenant and connection, unless `of` names others. */
  readonly context: (profile?: ProfileName | Profile, of?: Partial<RequestContext>) => RequestContext;
  /** A client of the service: its requests run in the context of the same arguments. */
  readonly as: (profile?: ProfileName | Profile, of?: Partial<RequestContext>) => TestClient;
}

/** What a test service differs in from a plain one. */
export interface TestServiceOptions {
  readonly limits?: Partial<ServiceLimits>;
  /** Puts something between the service and its store. */
  readonly wrap?: (store: ResourceStore) => ResourceStore;
  /** What makes cursors; by default there are none. */
  readonly cursorSeal?: CursorSeal;
  readonly sources?: Partial<Sources>;
}

/** Makes a service; `prepare` may add schemas before it starts. */
export function testService(
  prepare: (registry: SchemaRegistry) => void = () => undefined,
  { limits = {}, wrap = (store) => store, sources = {}, ...options }: TestServiceOptions = {},
): TestService {
  const registry = createDefaultRegistry();
  prepare(registry);
  const store = wrap(createMemoryStore());
  const service = createScimService({
    registry,
    store,
    sources: { ...testSources(), ...sources },
    limits,
    ...options,
  });
  const fired: string[] = [];
  const context: TestService["context"] = (profile = "strict", of = {}) => ({
    tenant: "default",
    connection: "default",
    subject: null,
    profile: typeof profile === "string" ? PROFILES[profile] : profile,
    baseUrl: BASE_URL,
    signal: undefined,
    onSwitch: (name, path) => {
      fired.push(`${name} ${path}`);
    },
    ...of,
  });
  const as: TestService["as"] = (profile, of) => createTestClient(service, context(profile, of));
  return { service, store, registry, fired, context, as };
}

/** Where the resources of a test service are. */
export const BASE_URL = "https://scim.example/scim/v2";

/** Sources whose clock moves a second at every look, and whose ids and nonces count. */
export function testSources(): Sources {
  let ticks = 0;
  let ids = 0;
  let nonces = 0;
  return {
    now: () => Date.UTC(2026, 0, 1) + (ticks += 1) * 1000,
    newId: () => `id-${String((ids += 1))}`,
    newNonce: () => `nonce${String((nonces += 1))}`,
    digest: (text) => createHash("sha256").update(text).digest("base64url").slice(0, 22),
  };
}

/** What a request without projection, paging or conditions adds. */
export const PLAIN = {
  attributes: null,
  excludedAttributes: null,
  precondition: { ifMatch: null, ifNoneMatch: null },
  prefer: null,
} as const;
