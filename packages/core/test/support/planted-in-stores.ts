/**
 * What stores with planted bugs are made of and tried out on.
 * @module
 */
import type { StoreScope, WritePlan, WriteResult } from "../../src/index.ts";
import {
  ContractViolation,
  createMemoryStore,
  EVENT_FEED_CONTRACT,
  type MemoryStore,
  RESOURCE_STORE_CONTRACT,
} from "../../src/testing/index.ts";

/** How a bug comes into a store that does right. */
export type Plant = (whole: MemoryStore) => MemoryStore;

/** A bug: the rule that finds it out, and what the store does. */
export type Planted = readonly (readonly [rule: string, bug: string, plant: Plant])[];

/** The tenants of the contract, each beside the other. */
export function beside(scope: StoreScope): StoreScope {
  return { ...scope, tenant: scope.tenant === "north" ? "south" : "north" };
}

/** A bug in what the store does with a plan. */
export function writing(
  write: (whole: MemoryStore, scope: StoreScope, plan: WritePlan) => Promise<WriteResult>,
): Plant {
  return (whole) => ({ ...whole, write: (scope, plan) => write(whole, scope, plan) });
}

/** What a store that keeps every rule but one breaks: the violations of the rules of a name. */
export async function violations(rule: string, plant: Plant): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  const note = (error: unknown): void => {
    found.push(error);
  };
  const open = async (): Promise<MemoryStore> => plant(createMemoryStore());
  for (const { run } of RESOURCE_STORE_CONTRACT.filter((each) => each.rule === rule))
    await run(open).catch(note);
  for (const { run } of EVENT_FEED_CONTRACT.filter((each) => each.rule === rule)) {
    const openBoth = async () => {
      const resources = await open();
      return { resources, events: resources.events };
    };
    await run(openBoth).catch(note);
  }
  return found.map((error) => (error instanceof ContractViolation ? "broken" : error));
}
