/**
 * Reads the items of an import, and tells those apart whose keys the source brought before.
 * @module
 */
import { ScimError } from "@scim/schemas";
import type { RequestContext } from "../../context.ts";
import type { Environment } from "../../environment.ts";
import { claimName } from "./claimed-names.ts";
import type { ImportOutcome, ImportRequest } from "./import-request.ts";
import { rejected } from "./outcome.ts";
import { isName, readItem, type ReadItem } from "./read-item.ts";

/** An item that was read, or the outcome of one that could not be. */
export type Read = ReadItem | ImportOutcome;

/** Whether an item was read. */
export function isRead(read: Read): read is ReadItem {
  return "model" in read;
}

/** Reads items, and keeps their keys. */
export function readItems(
  environment: Environment,
  context: RequestContext,
  request: ImportRequest,
): readonly Read[] {
  return request.items.map((item) => {
    if ("error" in item) return { record: item.record, kind: "rejected", id: null, error: item.error };
    try {
      const read = readItem(environment, context, { item, keepIds: request.keepIds });
      claimKeys(read, request);
      return claimName(read, request);
    } catch (error) {
      return rejected(item, error);
    }
  });
}

/** Whether records that follow can only mean the resource of an item by a value that they may not have. */
export function hasUniqueIdentity({ identities }: ReadItem): boolean {
  return identities.some(({ unique }) => unique !== null);
}

/**
 * Keeps the keys of a valid item, also where the store refuses it later: the first record of a key counts, whatever
 * becomes of it, so that the outcome follows from the source alone.
 * @throws ScimError `uniqueness` where a record before brought one of them
 */
function claimKeys({ item, model, id, identities, entries }: ReadItem, { seen }: ImportRequest): void {
  const [identity] = identities;
  const keys = entries.unique.map(({ path, scope, key }) => ({ path, text: `${path} ${scope} ${key}` }));
  if (identity !== undefined && identity.unique === null && !isName(identity))
    keys.push({ path: identity.node.path, text: `${identity.node.path} of ${model.name} ${identity.key}` });
  // Whatever its type: an `id` is unique over the whole service.
  if (id !== null) keys.push({ path: "id", text: `id ${id}` });
  let first: { readonly path: string; readonly record: number } | null = null;
  for (const { path, text } of keys) {
    const record = seen.add(text, item.record);
    if (record !== null && record !== item.record) first ??= { path, record };
  }
  if (first === null) return;
  throw new ScimError(
    "uniqueness",
    `Record ${first.record} has the same value of attribute '${first.path}'.`,
  );
}
