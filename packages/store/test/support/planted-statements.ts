/**
 * Stores whose statements have a bug that somebody who writes a store of their own could have, too.
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { type ContractRule, ContractViolation } from "@scim/core/testing";
import { SAMPLE_AUDIT } from "@scim/events/testing";
import { onTestFinished, vi } from "vitest";
import type { Store } from "../../src/store.ts";
import { open } from "./folders.ts";

/**
 * What stands in the place of a part of all statements that begin in a way. Each run of white space counts as one blank, and
 * limits are as the connection makes them.
 */
export type PlantedStatement = readonly [beginning: string, part: string | RegExp, instead: string];

/** What a store does wrong: in its statements, or in what it offers. */
export type Plant = PlantedStatement | ((store: Store) => Partial<Store>);

/** A bug: the rule that finds it out, and what the store does. */
export type Planted = readonly (readonly [rule: string, bug: string, plant: Plant])[];

/** In the place of `tenant = ?`, or of another condition on one value: rows of every value. */
export const ANYWHERE = "? <> ''";

/** A limit as the connection makes it. */
export const LIMIT = "LIMIT CAST(? AS INTEGER)";

const SOUND: typeof DatabaseSync.prototype.prepare = Reflect.get(DatabaseSync.prototype, "prepare");

/** What a store with a bug breaks: the violations of the rules of a name. */
export async function violations(
  contract: readonly ContractRule<Store>[],
  rule: string,
  plant: Plant,
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const { run } of contract.filter((each) => each.rule === rule))
    await run(() => openPlanted(plant)).catch((error: unknown) => found.push(error));
  return found.map((error) => (error instanceof ContractViolation ? "broken" : error));
}

async function openPlanted(plant: Plant): Promise<Store> {
  if (typeof plant !== "function") return openWith(plant);
  const store = await openSound();
  return { ...store, ...plant(store) };
}

function openSound(): Promise<Store> {
  return open(":memory:", { audit: SAMPLE_AUDIT, indexes: { interval: 3_600_000 } });
}

/** A database in memory has one connection: no other store is open meanwhile. */
function openWith([beginning, part, instead]: PlantedStatement): Promise<Store> {
  const planted = vi.spyOn(DatabaseSync.prototype, "prepare");
  onTestFinished(() => planted.mockRestore());
  planted.mockImplementation(function (this: DatabaseSync, text) {
    const line = text.replaceAll(/\s+/g, " ");
    return Reflect.apply(SOUND, this, [line.startsWith(beginning) ? line.replace(part, instead) : text]);
  });
  return openSound();
}
