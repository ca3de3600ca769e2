/**
 * Compares resources with the rows that were derived from them.
 * @module
 */
import type { DerivedSource, IndexEntry, SourcedValues, UniqueEntry } from "@scim/core";
import type { Dialect } from "../dialect.ts";
import { readIndexes } from "../indexes/declared-index.ts";
import { storedEntry } from "../indexes/missing.ts";
import { readRuleState } from "../resources/connection-rules.ts";
import type { RowSource } from "../resources/read.ts";
import { parseObject } from "../resources/rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, numberOf, type Row, type Steps, textOf } from "../steps.ts";
import { type ExpectedEntries, expectedEntries, type TypeCatalog } from "./expected-entries.ts";
import {
  indexRowName,
  readStoredRows,
  type StoredRow,
  type StoredRows,
  uniqueRowName,
} from "./stored-rows.ts";

/** What comparing needs. */
export interface CompareSetting {
  readonly dialect: Dialect;
  readonly source: DerivedSource;
}

/** Columns that are compared, of the table named `r`. */
export const COMPARED_COLUMNS: Sql = sql`r.id, r.connection, r.body,
  CASE WHEN r.indexed_version = r.version THEN 1 ELSE 0 END AS settled`;

/** How the derived rows of a resource differ from those that it leads to. */
export interface ResourceDifference {
  readonly id: string;
  /** Attribute paths whose entries are not all there, and those that have some too many. */
  readonly index: { readonly missing: ReadonlySet<string>; readonly stray: ReadonlySet<string> };
  /** All entries of the paths that are looked at. */
  readonly entries: readonly IndexEntry[];
  readonly unique: {
    readonly missing: readonly UniqueEntry[];
    /** Attribute paths. */
    readonly stray: ReadonlySet<string>;
    /** The values that it holds rightly. */
    readonly held: readonly UniqueEntry[];
  };
}

/** What came of comparing. */
export interface Compared {
  readonly ids: readonly string[];
  readonly unsettled: number;
  readonly differences: readonly ResourceDifference[];
  /** Paths of indexes that the service does not know. */
  readonly unknown: readonly string[];
}

/**
 * Compares the resources that a query answers (`COMPARED_COLUMNS`), all in one state. Null where the service does not know
 * their type.
 */
export function* compareResources(
  setting: CompareSetting,
  of: RowSource,
  query: Sql,
): Steps<Compared | null> {
  const { dialect, source } = setting;
  const { rows }: Answer = yield query;
  const ids = rows.map((row) => textOf(row, "id"));
  if (rows.length === 0) return { ids, unsettled: 0, differences: [], unknown: [] };
  const declared = (yield* readIndexes(of.tenant)).filter(({ type }) => type === of.type);
  const stored = yield* readStoredRows({ ...of, ids }, dialect);
  const comparison = new Comparison(setting, of, { type: of.type, source, declared });
  const differences: ResourceDifference[] = [];
  for (const row of rows) {
    const difference = yield* comparison.of(row, stored.get(textOf(row, "id")) ?? NOTHING);
    if (difference === null) return null;
    if (differs(difference)) differences.push(difference);
  }
  const unsettled = rows.filter((row) => numberOf(row, "settled") === 0).length;
  return { ids, unsettled, differences, unknown: [...comparison.unknown] };
}

const NOTHING: StoredRows = { index: [], unique: [] };

function differs({ index, unique }: ResourceDifference): boolean {
  return [index.missing.size, index.stray.size, unique.missing.length, unique.stray.size].some(
    (count) => count > 0,
  );
}

/** Compares resources of one type in one state. */
class Comparison {
  readonly #setting: CompareSetting;
  readonly #of: RowSource;
  readonly #catalog: TypeCatalog;
  /** Whether a rule of a connection is held for all resources, by scope and path. */
  readonly #held = new Map<string, boolean>();
  readonly unknown = new Set<string>();

  constructor(setting: CompareSetting, of: RowSource, catalog: TypeCatalog) {
    this.#setting = setting;
    this.#of = of;
    this.#catalog = catalog;
  }

  /** Null where the service does not know the type. */
  *of(row: Row, stored: StoredRows): Steps<ResourceDifference | null> {
    const { source } = this.#setting;
    const body = parseObject(textOf(row, "body"));
    const values = source.values(this.#of.type, { connection: textOf(row, "connection"), body });
    if (values === null) return null;
    const expected = expectedEntries(this.#catalog, { body, settled: numberOf(row, "settled") === 1 });
    for (const path of expected.unknown) this.unknown.add(path);
    return {
      id: textOf(row, "id"),
      index: this.#compareIndex(expected, stored.index),
      entries: expected.entries,
      unique: yield* this.#compareUnique(values, stored.unique),
    };
  }

  #compareIndex(
    { entries, complete, skipped }: ExpectedEntries,
    stored: readonly StoredRow[],
  ): ResourceDifference["index"] {
    const { keys } = this.#setting.dialect;
    const there = new Set(stored.map(({ name }) => name));
    const wanted = new Set<string>();
    const missing = new Set<string>();
    for (const entry of entries) {
      const { path, key } = storedEntry(entry);
      const name = indexRowName(keys, path, key);
      wanted.add(name);
      if (!there.has(name) && complete.has(entry.path)) missing.add(entry.path);
    }
    const stray = new Set<string>();
    for (const { name, path } of stored) {
      const attribute = attributeOf(path);
      const isLookedAt = complete.has(attribute) || (skipped !== null && !skipped.has(attribute));
      if (isLookedAt && !wanted.has(name)) stray.add(attribute);
    }
    return { missing, stray };
  }

  *#compareUnique(
    { demanded, ruled }: SourcedValues,
    stored: readonly StoredRow[],
  ): Steps<ResourceDifference["unique"]> {
    const { keys } = this.#setting.dialect;
    const there = new Set(stored.map(({ name }) => name));
    const isThere = (entry: UniqueEntry): boolean => there.has(uniqueRowName(keys, entry));
    const allowed = [...demanded, ...ruled];
    const wanted = new Set(allowed.map((entry) => uniqueRowName(keys, entry)));
    const missing = demanded.filter((entry) => !isThere(entry));
    for (const entry of ruled) if (!isThere(entry) && (yield* this.#isHeld(entry))) missing.push(entry);
    const stray = new Set(stored.filter(({ name }) => !wanted.has(name)).map(({ path }) => path));
    return { missing, stray, held: allowed.filter(isThere) };
  }

  *#isHeld({ scope, path }: UniqueEntry): Steps<boolean> {
    const name = JSON.stringify([scope, path]);
    const known = this.#held.get(name);
    if (known !== undefined) return known;
    const { tenant } = this.#of;
    const state = yield* readRuleState({ tenant, scope, path }, this.#setting.dialect);
    const isHeld = state?.complete === true;
    this.#held.set(name, isHeld);
    return isHeld;
  }
}

/** The attribute of a path of the index, which may be that of resources without a value. */
function attributeOf(path: string): string {
  return path.endsWith("?") ? path.slice(0, -1) : path;
}
