/**
 * Brings the rules that are held for connections in line with their profiles: those follow a setting, which changes between
 * two starts, or were given by an earlier release.
 * @module
 */
import { type DuplicateValues, type RulePorts, settleRules } from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";
import { eachTenant } from "../store/each-tenant.ts";
import { runRepeatedly } from "./run-repeatedly.ts";

/** Between two looks, in milliseconds (one hour). */
const INTERVAL_MS = 3_600_000;

/** What the look needs. */
export interface RuleUpkeep {
  readonly store: Pick<Store, "tenants" | "connections">;
  readonly ports: RulePorts;
  /** Told of a rule that is on and cannot be held, with the ids of the resources that break it; once for as many of them. */
  readonly onBroken: (broken: BrokenRule) => void;
  readonly onError: (error: unknown) => void;
}

/** A rule that resources break. No value stands in it. */
export interface BrokenRule {
  readonly tenant: string;
  readonly connection: string;
  readonly switch: string;
  /** How many resources have the value of another. */
  readonly count: number;
  /** The first of them, those of one value together. */
  readonly ids: readonly (readonly string[])[];
}

/** Looks now and then every hour. Returns what stops it; it resolves when nothing is under way any more. */
export function startRuleUpkeep({ store, ports, onBroken, onError }: RuleUpkeep): () => Promise<void> {
  const told = new Map<string, number>();
  const tell = (tenant: string, connection: string, { rule, count, duplicates }: DuplicateValues): void => {
    const name = `${tenant}/${connection}/${rule}`;
    if (told.get(name) === count) return;
    told.set(name, count);
    onBroken({ tenant, connection, switch: rule, count, ids: duplicates.map(({ ids }) => ids) });
  };
  const run = async (isStopped: () => boolean): Promise<void> => {
    for await (const tenant of eachTenant(store)) {
      for (const connection of await store.connections.list(tenant)) {
        if (isStopped()) return;
        for (const broken of await settleRules(ports, connection))
          tell(tenant, connection.connection, broken);
      }
    }
  };
  return runRepeatedly({ run, interval: INTERVAL_MS, onError });
}
