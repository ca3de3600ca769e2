/**
 * Imports many resources: each is read, validated and planned as a POST or PUT of it would be, and written whole or
 * not at all; they share look-ups and transactions.
 * @module
 */
import { isScimError, ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { applyItems, type Entry } from "./apply.ts";
import { findExisting } from "./find-existing.ts";
import { foreseeItems } from "./foresee.ts";
import type { ImportRequest, PreparedImport } from "./import-request.ts";
import { rejected } from "./outcome.ts";
import { planItem } from "./plan-item.ts";
import { hasUniqueIdentity, isRead, readItems, type Read } from "./read-items.ts";
import type { ReadItem } from "./read-item.ts";

/** Reads, checks and plans the items of an import. */
export async function prepareImport(
  environment: Environment,
  context: RequestContext,
  request: ImportRequest,
): Promise<PreparedImport> {
  const read = readItems(environment, context, request);
  const entries = await planItems(environment, context, { read, request });
  const replan = async (item: ReadItem): Promise<Entry> => {
    const [entry] = await planItems(environment, context, { read: [item], request });
    if (entry === undefined) throw new TypeError("An item was planned to nothing");
    return entry;
  };
  return {
    outcomes: entries.map(({ outcome }) => outcome),
    mayOverlap: entries.every(isApart),
    foresee: () => foreseeItems(environment, context, entries),
    apply: (options) => applyItems(environment, context, { entries, replan, options }),
  };
}

/** Whether an item makes a new resource, which records that follow can only mean by a value that they may not have. */
function isApart({ item, plan }: Entry): boolean {
  return plan === null || (plan.kind === "create" && item !== null && hasUniqueIdentity(item));
}

/** Remembers the keys of items that an earlier run was done with. */
export function passImported(
  environment: Environment,
  context: RequestContext,
  request: ImportRequest,
): void {
  readItems(environment, context, request);
}

async function planItems(
  environment: Environment,
  context: RequestContext,
  { read, request }: { readonly read: readonly Read[]; readonly request: ImportRequest },
): Promise<readonly Entry[]> {
  const matches = await findExisting(environment, context, read.filter(isRead));
  const claimed = new Set<string>();
  const entries: Entry[] = [];
  for (const each of read) {
    if (!isRead(each)) {
      entries.push({ item: null, plan: null, before: null, outcome: each });
      continue;
    }
    try {
      const existing = matches.get(each) ?? null;
      if (isScimError(existing)) throw existing;
      if (existing !== null) claim(`${existing.type} ${existing.id}`, claimed);
      const planned = planItem(environment, context, { item: each, existing, mode: request.mode });
      const { plan, before, id } = planned instanceof Promise ? await planned : planned;
      const kind = plan === null ? "unchanged" : plan.kind === "create" ? "created" : "replaced";
      entries.push({
        item: each,
        plan,
        before,
        outcome: { record: each.item.record, kind, id, error: null },
      });
    } catch (error) {
      entries.push({ item: null, plan: null, before: null, outcome: rejected(each.item, error) });
    }
  }
  return entries;
}

function claim(resource: string, claimed: Set<string>): void {
  if (claimed.has(resource))
    throw new ScimError("uniqueness", "A record shortly before means the same resource.");
  claimed.add(resource);
}
