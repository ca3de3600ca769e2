/** Ports of administration in memory, with a clock that stands. */
import { createHmac } from "node:crypto";
import { createModelCatalog, PROFILES, type ResourceStore } from "@scim/core";
import { createMemoryStore, type MemoryStore } from "@scim/core/testing";
import { createDefaultRegistry } from "@scim/schemas";
import {
  createConnectionProfiles,
  createTokenHasher,
  type ConnectionGuard,
  type RulePorts,
  type ServiceCeilings,
  type TenancyPorts,
} from "../../src/index.ts";
import { createMemoryTenancy, type MemoryTenancy } from "../../src/testing/index.ts";

export const NOW = "2026-11-21T00:00:00.000Z";

/** What the service allows. */
export const CEILINGS: ServiceCeilings = {
  "page.size": 100,
  "filter.maxResults": 1000,
  "bulk.maxOperations": 500,
  "group.answerMembers": 200,
  "query.scansPerTenant": 2,
};

/** The guard that the service is set to. */
export const GUARD: ConnectionGuard = { mode: "observe", atLeast: 20, percent: 5, window: 30, named: [] };

export type TestPorts = TenancyPorts &
  Pick<MemoryTenancy, "acts" | "documents"> & { readonly resources: MemoryStore };

const CATALOG = createModelCatalog(createDefaultRegistry());

/** The rules of the connections that created what a store holds. */
export function testRules({ rules }: Pick<ResourceStore, "rules">): RulePorts {
  let count = 0;
  return {
    rules: rules ?? null,
    profileOf: createConnectionProfiles(PROFILES.tolerant),
    catalogOf: () => CATALOG,
    newId: () => `rule-${(count += 1)}`,
    now: () => NOW,
  };
}

/** Ports over empty stores; what is sealed is hexadecimal digits. */
export function testPorts(): TestPorts {
  let count = 0;
  const resources = createMemoryStore();
  const key = { id: "1", secret: new Uint8Array(32).fill(1) };
  return {
    ...createMemoryTenancy(),
    hasher: createTokenHasher([key], (secret, text) => createHmac("sha256", secret).update(text).digest()),
    ceilings: CEILINGS,
    guard: GUARD,
    uniqueness: testRules(resources),
    resources,
    resourceTypes: async () => ["User", "Group"],
    randomBytes: (length) => new Uint8Array(length).fill((count += 1)),
    newId: () => `id-${(count += 1)}`,
    now: () => NOW,
    // Each step is the smallest: revisions count.
    random: () => 0,
    seal: (text) => Buffer.from(text).toString("hex"),
    actor: { admin: "ann", address: "192.0.2.7" },
  };
}
