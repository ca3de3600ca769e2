/**
 * The indexes that the documents of resource types want.
 * @module
 */
import type { IndexSource, WantedIndex } from "@scim/core";
import type { Executor } from "../steps.ts";
import { type CatalogSetting, declareIndex, readIndexes } from "./declared-index.ts";
import { alwaysIndexed } from "./view.ts";

/** What a source wants beside what always has an index, and the same as a text. */
export function wantedOf(source: IndexSource): {
  readonly wanted: readonly WantedIndex[];
  readonly names: string;
} {
  const wanted = source.wanted().filter(({ type, path }) => !alwaysIndexed(type).includes(path));
  return { wanted, names: JSON.stringify(wanted) };
}

/** What declaring needs. */
export interface WantedSetting extends CatalogSetting {
  readonly executor: Pick<Executor, "read" | "write">;
}

/**
 * Declares what is wanted of a tenant. Resolves to whether all of it is declared: an index that is being dropped can be
 * when it is gone.
 */
export async function declareWanted(
  { executor, ...setting }: WantedSetting,
  tenant: string,
  wanted: readonly WantedIndex[],
): Promise<boolean> {
  if (wanted.length === 0) return true;
  const found = await executor.read(readIndexes(tenant));
  const known = new Map(found.map((index) => [keyOf(index), index.state]));
  let isWhole = true;
  for (const { type, path } of wanted) {
    const state =
      known.get(keyOf({ type, path })) ??
      (await executor.write(() => declareIndex(setting, { tenant, type, path }, "schema")))?.state;
    if (state === "dropping") isWhole = false;
  }
  return isWhole;
}

function keyOf({ type, path }: WantedIndex): string {
  return JSON.stringify([type, path]);
}
