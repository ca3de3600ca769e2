/**
 * A service for tests: in memory, with a clock that ticks and ids that count.
 * @module
 */
import { createDefaultRegistry, type SchemaRegistry } from "@scim/schemas";
import {
  createScimService,
  PROFILES,
  type Profile,
  type CursorSeal,
  type ProfileName,
  type ResourceHooks,
  type RequestContext,
  type ResourceStore,
  type OperatorService,
  type SecretSink,
  type ServiceLimits,
  type Sources,
} from "../../src/index.ts";
import { createMemoryStore } from "../../src/testing/index.ts";
import { createTestClient, type TestClient } from "./client.ts";
import { handledStore } from "./handled-store.ts";
import { testSources } from "./sources.ts";

/** A service and what stands around it. */
export interface TestService {
  readonly service: OperatorService;
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
  /** Who hashes secrets; by default they are dropped. */
  readonly secrets?: SecretSink;
  /** What the application says to changes. */
  readonly hooks?: Readonly<Record<string, ResourceHooks>>;
}

/** Makes a service; `prepare` may add schemas before it starts. */
export function testService(
  prepare: (registry: SchemaRegistry) => void = () => undefined,
  { limits = {}, wrap = (store) => store, sources = {}, ...options }: TestServiceOptions = {},
): TestService {
  const registry = createDefaultRegistry();
  prepare(registry);
  const store = wrap(USES_HANDLERS ? handledStore(registry) : createMemoryStore());
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

/** Whether this run of the tests is about resources that handlers keep. */
const USES_HANDLERS = process.env["SCIM_TEST_STORE"] === "handlers";

/** Where the resources of a test service are. */
export const BASE_URL = "https://scim.example/scim/v2";

/** What a request without projection, paging or conditions adds. */
export const PLAIN = {
  attributes: null,
  excludedAttributes: null,
  precondition: { ifMatch: null, ifNoneMatch: null },
  prefer: null,
} as const;
