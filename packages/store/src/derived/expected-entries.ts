/**
 * Which entries of the index a resource must have, which it may have, and which are not looked at.
 * @module
 */
import type { DerivedSource, IndexEntry } from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import type { DeclaredIndex } from "../indexes/declared-index.ts";
import { alwaysIndexed } from "../indexes/view.ts";

/** What is known of the indexes of a resource type. */
export interface TypeCatalog {
  readonly type: string;
  readonly source: DerivedSource;
  /** Those that are declared for the type. */
  readonly declared: readonly DeclaredIndex[];
}

/** A resource, as far as its entries depend on it. */
export interface EntrySubject {
  readonly body: JsonObject;
  /** Whether the entries of declared indexes are those of the body. */
  readonly settled: boolean;
}

/** What is demanded of the entries of a resource. */
export interface ExpectedEntries {
  /** The entries of the paths that are looked at. */
  readonly entries: readonly IndexEntry[];
  /** Paths of which no entry may be missing. Of others that are looked at none may be too many. */
  readonly complete: ReadonlySet<string>;
  /** Paths that are not looked at; null: all but those of `complete`. */
  readonly skipped: ReadonlySet<string> | null;
  /** Paths that the service does not know. */
  readonly unknown: readonly string[];
}

/** Demands what writers, and whoever builds indexes, promise to each other. */
export function expectedEntries(
  { type, source, declared }: TypeCatalog,
  { body, settled }: EntrySubject,
): ExpectedEntries {
  const always = alwaysIndexed(type);
  const complete = new Set(always);
  const entries: IndexEntry[] = always.flatMap((path) => source.entries(type, body, [path]) ?? []);
  if (!settled) return { entries, complete, skipped: null, unknown: [] };
  const skipped = new Set<string>();
  const unknown: string[] = [];
  for (const { path, state } of declared) {
    if (complete.has(path)) continue;
    const found = state === "dropping" ? null : source.entries(type, body, [path]);
    if (found === null) {
      skipped.add(path);
      if (state !== "dropping") unknown.push(path);
      continue;
    }
    entries.push(...found);
    if (state === "ready") complete.add(path);
  }
  return { entries, complete, skipped, unknown };
}
