/**
 * Brings the rules that are held for connections in line with their profiles: those follow a setting, which changes between
 * two starts, or were given by an earlier release.
 * @module
 */
import {
  type ConnectionName,
  type DuplicateValues,
  type RulePorts,
  type SettledRules,
  settleRules,
} from "@scim/tenancy";
import type { Store } from "@scim/store/sqlite";
import { eachTenant } from "../store/each-tenant.ts";
import { runRepeatedly } from "./run-repeatedly.ts";

/** Between two looks, in milliseconds (five minutes). */
const INTERVAL_MS = 300_000;

/** One look of so many is at all tenants (each hour), the others at those with a rule that somebody was at, or that could not be held. */
const LOOKS = 12;

/** What the look needs. */
export interface RuleUpkeep {
  readonly store: Pick<Store, "tenants" | "connections">;
  readonly ports: RulePorts;
  /** Told of a rule that is on and cannot be held, with the ids of the resources that break it; once for the same ones, until they are held. */
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
  /** What was told of the rules of a connection, by its name. */
  const told = new Map<string, ReadonlySet<string>>();
  const tell = ({ tenant, connection }: ConnectionName, { broken, underWay }: SettledRules): void => {
    const name = `${tenant}/${connection}`;
    const before = told.get(name) ?? new Set();
    const found = broken.map((each) => brokenRule({ tenant, connection }, each));
    for (const each of found) if (!before.has(textOf(each))) onBroken(each);
    // One that somebody is at was not looked at: it may be broken as before.
    const now = new Set([...(underWay ? before : []), ...found.map(textOf)]);
    if (now.size > 0) told.set(name, now);
    else told.delete(name);
  };
  let looks = 0;
  let waiting: ReadonlySet<string> = new Set();
  const run = async (isStopped: () => boolean): Promise<void> => {
    const begun = new Set<string>();
    for await (const tenant of looks % LOOKS === 0 ? eachTenant(store) : waiting) {
      for (const connection of await store.connections.list(tenant)) {
        if (isStopped()) return;
        try {
          const settled = await settleRules(ports, connection);
          tell(connection, settled);
          if (settled.underWay) begun.add(tenant);
        } catch (error) {
          // The schemas of one tenant may not fit the service any more. Where the database fails, the next list of connections does.
          onError(error);
          begun.add(tenant);
        }
      }
    }
    looks += 1;
    waiting = begun;
  };
  return runRepeatedly({ run, interval: INTERVAL_MS, onError });
}

function brokenRule(
  { tenant, connection }: ConnectionName,
  { rule, count, duplicates }: DuplicateValues,
): BrokenRule {
  return { tenant, connection, switch: rule, count, ids: duplicates.map(({ ids }) => ids.toSorted()) };
}

function textOf({ switch: name, count, ids }: BrokenRule): string {
  return JSON.stringify([name, count, ids]);
}
