/**
 * What a tenant is served by, where it has something of its own: made on first use, kept within a bound, and made anew
 * when the tenant changes.
 * @module
 */
import { isRecent } from "@scim/core";
import { isOutgrown } from "../documents/own-registry.ts";
import type { Tenant, TenantStore } from "./tenant.ts";

/** What rules of tenants are made with. */
export interface TenantRulesOptions<Rules> {
  readonly tenants: Pick<TenantStore, "find">;
  /** The rules of a tenant that has nothing of its own; the same object for all who share them. */
  readonly shared: (tenant: string) => Rules;
  /** Makes the rules of a tenant that {@link hasOwnRules}. */
  readonly make: (tenant: Tenant) => Promise<Rules>;
  /** The present, in milliseconds since 1970. */
  readonly now: () => number;
  /** Most tenants with documents of their own whose rules are kept; those used longest ago go first. Default 100. */
  readonly most?: number;
}

/** The rules of tenants, as a process knows them. */
export interface TenantRules<Rules> {
  /** Reads a tenant, and remembers it: an authenticator that reads tenants by this spares {@link of} the reading. */
  readonly find: TenantStore["find"];
  /** The rules of a tenant. A change of the tenant acts within half a second. */
  of(tenant: string): Rules | Promise<Rules>;
  /** The rules of a tenant as they were known last, without looking. */
  known(tenant: string): Rules;
}

/** Milliseconds that a tenant is believed: what changes must act within a second, in every process. */
const BELIEVED_MS = 500;
/** Tenants that are remembered: a row is some hundred bytes. */
const MOST_REMEMBERED = 10_000;
/** Rules of tenants with documents of their own that are kept: some hundred kilobytes each, and dear to make. */
const MOST_KEPT = 100;
/** Rules of tenants that have something else of their own: some kilobytes each, which take the place of no others. */
const MOST_LIGHT = 1000;

interface Remembered {
  readonly row: Tenant | null;
  /** Which question it answers: they are numbered in the order in which they are asked. */
  readonly asked: number;
  /** When it was read. */
  readonly at: number;
}

interface Kept<Rules> {
  readonly revision: number;
  readonly rules: Promise<Rules>;
  /** Null while they are made. */
  made: Rules | null;
}

/** Whether a tenant has rules of its own. */
export function hasOwnRules({ limits, documents, secrets }: Tenant): boolean {
  return documents > 0 || secrets !== "drop" || Object.keys(limits).length > 0;
}

/** Makes what tells the rules of tenants. */
export function createTenantRules<Rules>(options: TenantRulesOptions<Rules>): TenantRules<Rules> {
  const { tenants, shared, make, now, most = MOST_KEPT } = options;
  const remembered = new Map<string, Remembered>();
  const [compiled, light] = [new Map<string, Kept<Rules>>(), new Map<string, Kept<Rules>>()];
  const keptWith = ({ documents }: Tenant): Map<string, Kept<Rules>> => (documents > 0 ? compiled : light);
  let asked = 0;

  const find = async (tenant: string): Promise<Tenant | null> => {
    asked += 1;
    const number = asked;
    const row = await tenants.find(tenant);
    // An answer that one asked for later has overtaken says nothing any more. Revisions do not tell which is the newer one:
    // behind a promoted replica they may lie before those that are remembered.
    if ((remembered.get(tenant)?.asked ?? 0) < number) remember(tenant, { row, asked: number });
    return row;
  };

  const remember = (tenant: string, answer: Pick<Remembered, "row" | "asked">): void => {
    if (remembered.size >= MOST_REMEMBERED) dropOldest(remembered);
    remembered.set(tenant, { ...answer, at: now() });
  };

  const rulesOf = (tenant: string, row: Tenant | null): Rules | Promise<Rules> => {
    if (row === null || !hasOwnRules(row)) return shared(tenant);
    const kept = keptWith(row);
    const known = kept.get(tenant);
    if (known?.revision === row.revision) {
      kept.delete(tenant);
      kept.set(tenant, known);
      return known.made ?? known.rules;
    }
    return begin(row);
  };

  const begin = (row: Tenant): Promise<Rules> => {
    const { tenant, revision } = row;
    const kept = keptWith(row);
    const entry: Kept<Rules> = { revision, rules: make(row), made: null };
    for (const each of [compiled, light]) each.delete(tenant);
    kept.set(tenant, entry);
    if (kept.size > (kept === compiled ? most : MOST_LIGHT)) dropOldest(kept);
    entry.rules.then(
      (made) => void (entry.made = made),
      // What failed is tried again by the next who asks, unless it would fail again.
      (error: unknown) => void (!isOutgrown(error) && kept.get(tenant) === entry && kept.delete(tenant)),
    );
    return entry.rules;
  };

  return {
    find,
    of: (tenant) => {
      const known = remembered.get(tenant);
      const isKnown = known !== undefined && isRecent(known.at, { now: now(), within: BELIEVED_MS });
      if (isKnown) return rulesOf(tenant, known.row);
      return find(tenant).then((row) => rulesOf(tenant, row));
    },
    known: (tenant) => {
      const row = remembered.get(tenant)?.row ?? null;
      const own = row === null || !hasOwnRules(row) ? undefined : keptWith(row).get(tenant);
      return own?.made ?? shared(tenant);
    },
  };
}

function dropOldest<Value>(map: Map<string, Value>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
