/**
 * Brings the rules that are held for connections in line with their profiles: those follow a setting, which changes between
 * two starts, or were given by an earlier release.
 * @module
 */
import { type DuplicateValues, type RulePorts, settleRules } from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";
import { eachTenant } from "../store/each-tenant.ts";
import { runRepeatedly } from "./run-repeatedly.ts";

/** Between two looks, in milliseconds (five minutes). */
const INTERVAL_MS = 300_000;

/** One look of so many is at all tenants (each hour), the others at those with a rule that somebody was at. */
const LOOKS = 12;

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

/** Looks now and then every hour, and sooner where somebody is at a rule, who may have been killed. Returns what stops it; it resolves when nothing is under way any more. */
export function startRuleUpkeep({ store, ports, onBroken, onError }: RuleUpkeep): () => Promise<void> {
  const told = new Map<string, number>();
  const tell = (tenant: string, connection: string, { rule, count, duplicates }: DuplicateValues): void => {
    const name = `${tenant}/${connection}/${rule}`;
    if (told.get(name) === count) return;
    told.set(name, count);
    onBroken({ tenant, connection, switch: rule, count, ids: duplicates.map(({ ids }) => ids) });
  };
  let looks = 0;
  let waiting: ReadonlySet<string> = new Set();
  const run = async (isStopped: () => boolean): Promise<void> => {
    const begun = new Set<string>();
    for await (const tenant of looks % LOOKS === 0 ? eachTenant(store) : waiting) {
      for (const connection of await store.connections.list(tenant)) {
        if (isStopped()) return;
        const { broken, underWay } = await settleRules(ports, connection);
        for (const each of broken) tell(tenant, connection.connection, each);
        if (underWay) begun.add(tenant);
      }
    }
    looks += 1;
    waiting = begun;
  };
  return runRepeatedly({ run, interval: INTERVAL_MS, onError });
}
