/**
 * What the rules of erasures are tried with.
 * @module
 */
import { type ContractRule, ContractViolation, deletePlan, NOTHING, SCOPE } from "@scim/core/testing";
import type { Erasing } from "../erasure/erase.ts";
import type { Erasure } from "../erasure/erasure.ts";
import type { ErasureStore } from "../erasure/port.ts";
import type { AuditedStore } from "./audited-store.ts";
import { SAMPLE_KEYS } from "./sample-keys.ts";

/** A store with erasures. It must be opened with `SAMPLE_AUDIT`. */
export interface ErasingStore extends AuditedStore {
  readonly erasures: ErasureStore;
}

/** A rule of erasures. */
export type ErasureRule = ContractRule<ErasingStore>;

/** When erasures of a test are asked for. */
export const AT = "2026-03-01T08:00:00.000Z";
/** Who is erased. */
export const ANNA = { type: "User", id: "anna", body: { userName: "anna" } } as const;
/** Who asks for it. */
export const ORIGIN = { command: "test" };

/** Erasures of a store whose notes come into a list. */
export function erasing({ erasures, resources }: ErasingStore, notes: Erasure[] = []): Erasing {
  return {
    ...SAMPLE_KEYS,
    erasures,
    origin: ORIGIN,
    now: () => AT,
    newNonce: () => `n${notes.length}`,
    note: async (erasure) => void notes.push(erasure),
    remove: async ({ tenant, id }, type) => {
      const scope = { ...SCOPE, tenant };
      const stored = await resources.read(scope, { type, id }, NOTHING);
      if (stored === null) throw new ContractViolation(`deleting a ${type} ${id}`, null, "one that is live");
      await resources.write(scope, deletePlan(stored));
    },
  };
}
