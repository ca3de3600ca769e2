/**
 * Imports many resources: each is read, validated and planned as a POST or PUT of it would be, and written whole or
 * not at all; they share look-ups and transactions, and come to what they would come to one after another.
 * @module
 */
import { isScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { NO_SECRETS } from "../../secrets/request-secrets.ts";
import { applyItems, type Entry } from "./apply.ts";
import { findExisting } from "./find-existing.ts";
import { foreseeItems } from "./foresee.ts";
import type { ImportApplication, ImportOutcome, ImportRequest, PreparedImport } from "./import-request.ts";
import { rejected } from "./outcome.ts";
import { changedSecrets, type MatchedItem } from "./item-secrets.ts";
import { planItem } from "./plan-item.ts";
import { hasUniqueIdentity, isRead, readItems, type Read } from "./read-items.ts";
import type { ReadItem } from "./read-item.ts";
import { TouchedValues } from "./touched-values.ts";

/** Reads, checks and plans the items of an import. */
export async function prepareImport(
  environment: Environment,
  context: RequestContext,
  request: ImportRequest,
): Promise<PreparedImport> {
  const read = readItems(environment, context, request);
  const plan = (items: readonly Read[]): Promise<readonly Entry[]> =>
    planItems(environment, context, { read: items, request });
  const replan = async (item: ReadItem): Promise<Entry> => {
    const [entry] = await plan([item]);
    if (entry === undefined) throw new TypeError("An item was planned to nothing");
    return entry;
  };
  const write = (entries: readonly Entry[], options: ImportApplication): Promise<readonly ImportOutcome[]> =>
    applyItems(environment, context, { entries, replan, options });
  const first = await plan(read);
  return {
    outcomes: first.map(({ outcome }) => outcome),
    mayOverlap: first.length === read.length && first.every(isApart),
    foresee: async () => {
      const rest = await planItems(environment, context, {
        read: read.slice(first.length),
        request,
        isTrial: true,
      });
      return foreseeItems(environment, context, [...first, ...rest]);
    },
    apply: async (options) => {
      const outcomes = [...(await write(first, options))];
      let planned = first.length;
      while (outcomes.length < read.length) {
        // Where each record bears upon the next, few are looked for in vain.
        const entries = await plan(read.slice(outcomes.length, outcomes.length + 2 * planned));
        planned = entries.length;
        for (const { outcome } of entries) if (outcome.kind === "rejected") await options.onRejected(outcome);
        outcomes.push(...(await write(entries, options)));
      }
      return outcomes;
    },
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

/** An item that is rejected. */
const NOTHING_TO_WRITE = { item: null, plan: null, before: null, secrets: NO_SECRETS } as const;

function matchedItems(
  items: readonly ReadItem[],
  matches: Awaited<ReturnType<typeof findExisting>>,
): readonly MatchedItem[] {
  return items.flatMap((item) => {
    const existing = matches.get(item) ?? null;
    return isScimError(existing) ? [] : [{ item, existing }];
  });
}

interface Planning {
  readonly read: readonly Read[];
  readonly request: ImportRequest;
  /** Whether nothing will be written: all items are planned then, on the resources as they are. */
  readonly isTrial?: boolean;
}

/** Plans the first items, up to one that those before it bear upon: it has to be planned when these are written. */
async function planItems(
  environment: Environment,
  context: RequestContext,
  { read, request, isTrial = false }: Planning,
): Promise<readonly Entry[]> {
  const items = read.filter(isRead);
  const matches = await findExisting(environment, context, items);
  const secrets = await changedSecrets(environment, context, matchedItems(items, matches));
  const touched = new TouchedValues();
  const entries: Entry[] = [];
  for (const each of read) {
    if (!isRead(each)) {
      entries.push({ ...NOTHING_TO_WRITE, outcome: each });
      continue;
    }
    const match = matches.get(each) ?? null;
    const existing = isScimError(match) ? null : match;
    if (!isTrial && touched.bearsUpon(each, existing)) break;
    try {
      if (isScimError(match)) throw match;
      const changed = secrets.get(each) ?? NO_SECRETS;
      const planned = planItem(environment, context, {
        item: each,
        existing,
        mode: request.mode,
        secrets: changed.paths,
      });
      const { plan, before, id } = planned instanceof Promise ? await planned : planned;
      const kind = plan === null ? "unchanged" : plan.kind === "create" ? "created" : "replaced";
      if (plan !== null) touched.add(each, plan);
      entries.push({
        item: each,
        plan,
        before,
        secrets: changed,
        outcome: { record: each.item.record, kind, id, error: null },
      });
    } catch (error) {
      entries.push({ ...NOTHING_TO_WRITE, outcome: rejected(each.item, error) });
    }
  }
  return entries;
}
