/**
 * What administration works on: the stores of an open database, and who acts.
 * @module
 */
import { randomBytes } from "node:crypto";
import { type ChangeOrigin, nextRevision } from "@scim/core";
import { namesOfNobody } from "@scim/events";
import {
  DEFAULT_NAME,
  type DocumentPorts,
  NO_TENANT_SETTINGS,
  type RulePorts,
  type TenancyPorts,
} from "@scim/tenancy";
import type { OpenedStore } from "../store/open-store.ts";
import { instantNow, newResourceId } from "../sources.ts";

/** The ports over an open store. */
export function tenancyPorts(opened: OpenedStore, actor: ChangeOrigin): TenancyPorts {
  const { store, hasher, keySeal, ceilings, guard, keyAddressFault } = opened;
  return {
    tenants: store.tenants,
    connections: store.connections,
    tokens: store.tokens,
    clients: store.clients,
    admins: store.admins,
    hasher,
    ceilings,
    guard,
    keyAddressFault,
    resourceTypes: typesOfTenants(opened),
    namesOfNobody: async (of, named) => {
      const catalog = await rulePorts(opened).catalogOf(of.tenant);
      return namesOfNobody({ ...store, catalog }, of, named);
    },
    uniqueness: rulePorts(opened),
    randomBytes,
    newId: newResourceId,
    now: instantNow,
    random: Math.random,
    seal: (text) => keySeal.seal(text),
    actor,
  };
}

/** What tells the names of the resource types that a tenant has. */
export function typesOfTenants({ rules }: Pick<OpenedStore, "rules">): TenancyPorts["resourceTypes"] {
  return async (tenant) => {
    // A type that was added just now counts.
    await rules.find(tenant);
    return (await rules.catalogOf(tenant)).models().map(({ name }) => name);
  };
}

/** What rules of connections need, over an open store. */
export function rulePorts({ store, rules, profileOf }: OpenedStore): RulePorts {
  return {
    rules: store.resources.rules ?? null,
    profileOf,
    catalogOf: async (tenant) => {
      // A type that was added just now counts.
      await rules.find(tenant);
      return rules.catalogOf(tenant);
    },
    newId: newResourceId,
    now: instantNow,
  };
}

/** The ports of documents over an open store. */
export function documentPorts({ store, rules }: OpenedStore, actor: ChangeOrigin): DocumentPorts {
  const { tenants, documents } = store;
  return { tenants, documents, base: rules.base, now: instantNow, random: Math.random, actor };
}

/** Sees to it that the tenant of the server is there, with its connection: programs of earlier releases wrote neither. */
export async function settleDefaultTenant({ store }: Pick<OpenedStore, "store">): Promise<void> {
  const of = { created: instantNow(), revision: nextRevision(0, Math.random()), state: "active" } as const;
  const tenant = DEFAULT_NAME;
  if ((await store.tenants.find(tenant)) === null)
    await store.tenants.add({ ...of, ...NO_TENANT_SETTINGS, documents: 0, tenant, displayName: null });
  if ((await store.connections.find(tenant, DEFAULT_NAME)) !== null) return;
  await store.connections.add({
    ...of,
    tenant,
    connection: DEFAULT_NAME,
    profile: null,
    switches: [],
    rate: null,
    guard: null,
    silentAfter: null,
  });
}
