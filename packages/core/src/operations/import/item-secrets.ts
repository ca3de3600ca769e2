/**
 * The secrets of imported items: compared with what is kept, and hashed when their turn comes to be written.
 * @module
 */
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { NO_SECRETS, SecretHashing, type RequestSecrets } from "../../secrets/request-secrets.ts";
import { someAtOnce } from "../../some-at-once.ts";
import { scopeOf } from "../../store/scope.ts";
import type { StoredResource } from "../../store/stored-resource.ts";
import type { Entry } from "./apply.ts";
import type { ReadItem } from "./read-item.ts";

/** An item, and the resource that it means; null for a new one. */
export interface MatchedItem {
  readonly item: ReadItem;
  readonly existing: StoredResource | null;
}

/**
 * The secrets that items change. One that is kept already is no change, so that an import may be repeated; where values
 * are dropped, nobody could tell, and what exists stays.
 */
export async function changedSecrets(
  environment: Environment,
  context: RequestContext,
  items: readonly MatchedItem[],
): Promise<ReadonlyMap<ReadItem, RequestSecrets>> {
  const having = items.filter(({ item }) => item.secrets.values.size > 0);
  const changed = await someAtOnce(having, async ({ item, existing }) => {
    const secrets =
      existing === null ? item.secrets : await otherSecrets(environment, context, { item, existing });
    return [item, secrets] as const;
  });
  return new Map(changed);
}

async function otherSecrets(
  { secrets: sink, store }: Environment,
  context: RequestContext,
  { item, existing: { type, id } }: { readonly item: ReadItem; readonly existing: StoredResource },
): Promise<RequestSecrets> {
  const scope = scopeOf(context);
  const values = new Map<string, string>();
  for (const [path, value] of item.secrets.values) {
    const hash = (await store.secrets?.find(scope, { type, id, path })) ?? null;
    const isKept = hash !== null && (await sink?.matches(scope, value, hash)) === true;
    if (!isKept) values.set(path, value);
  }
  return { ...NO_SECRETS, paths: [...values.keys()], values };
}

/** Entries whose plans bring the hashes of their secrets. */
export async function hashedEntries(
  environment: Environment,
  context: RequestContext,
  entries: readonly Entry[],
): Promise<readonly Entry[]> {
  if (entries.every(({ secrets }) => secrets.values.size === 0)) return entries;
  return someAtOnce(entries, async (entry) => hashedEntry(environment, context, entry));
}

async function hashedEntry(environment: Environment, context: RequestContext, entry: Entry): Promise<Entry> {
  const { plan, secrets } = entry;
  if (secrets.values.size === 0 || (plan?.kind !== "create" && plan?.kind !== "update")) return entry;
  const { changes } = await new SecretHashing(environment, context).planned(secrets);
  return { ...entry, plan: { ...plan, secrets: changes } };
}
