/**
 * New resources in a table in memory, until they are inserted: each value is handed over once, outside of any
 * transaction that others wait for, and each table is then filled by one statement, in the order of its rows: resources
 * and their events by id, since ids grow, and keys path by path as they are sorted, so that a page that several of them
 * belong to is read and written once. A statement leaves out what stands in the way (`OR IGNORE`) instead of failing, so
 * that SQLite keeps no pages to take it back: whoever runs it takes back the transaction.
 * @module
 */
import type { ImportStep, WriteAllResult } from "@scim/core";
import type { BulkEntries, BulkGroup } from "../imports/bulk.ts";
import { type GroupSetting, insertGroups } from "../imports/insert-bulk.ts";
import { indexRows, isHeld, uniqueRows } from "../imports/insert-rows.ts";
import { insertions } from "../imports/many-rows.ts";
import { otherTypes } from "../resources/kept-ids.ts";
import type { WriteSetting } from "../resources/plan-parts.ts";
import { type Sql, sql } from "../sql.ts";
import type { Answer, Outcome, Steps } from "../steps.ts";
import type { SqliteConnection } from "./connection.ts";
import { type Slot, StagedGroup, type UniqueSlot } from "./staged-group.ts";

/** Columns of the table for keys. What does not fit is inserted beside it. */
const KEY_COLUMNS = Array.from({ length: 16 }, (_, column) => `k${column}`);

const BEGIN: Sql = { text: "BEGIN", params: [] };
const COMMIT: Sql = { text: "COMMIT", params: [] };
const ROLLBACK: Sql = { text: "ROLLBACK", params: [] };

/** Resources that one import gathers. */
export class ImportStage {
  readonly #connection: SqliteConnection;
  readonly #table: Sql;
  /** Lists of changed paths, which most resources share. */
  readonly #changes: Sql;
  readonly #numbers = new Map<string, number>();
  #groups: StagedGroup[] = [];
  #count = 0;

  /** @param name of the table, which is the connection's alone */
  constructor(connection: SqliteConnection, name: string) {
    this.#connection = connection;
    this.#table = { text: `temp.${name}`, params: [] };
    this.#changes = { text: `temp.${name}_changes`, params: [] };
    connection.exec(`CREATE TEMP TABLE ${name} (n INTEGER PRIMARY KEY, g, id, version, at, created, body, c,
      ${KEY_COLUMNS.join(", ")});
      CREATE TEMP TABLE ${name}_changes (c INTEGER PRIMARY KEY, changed)`);
  }

  /** Adds resources. */
  add(groups: readonly BulkGroup[]): void {
    const changeOf = (text: string): number => this.#changeOf(text);
    this.#connection.run(BEGIN);
    try {
      for (const group of groups)
        for (const { statement } of insertions(
          this.#groupOf(group).rows(group, { into: this.#table, from: this.#count, changeOf }),
        ))
          this.#connection.run(statement);
      this.#connection.run(COMMIT);
    } catch (error) {
      // What comes next on the connection begins a transaction of its own.
      if (this.#connection.inTransaction) this.#connection.run(ROLLBACK);
      throw error;
    }
    this.#count += groups.reduce((sum, { count }) => sum + count, 0);
  }

  /** Forgets what was added. */
  clear(): void {
    if (this.#count > 0) {
      this.#connection.run(sql`DELETE FROM ${this.#table}`);
      this.#connection.run(sql`DELETE FROM ${this.#changes}`);
    }
    this.#numbers.clear();
    this.#groups = [];
    this.#count = 0;
  }

  /** Inserts what was added, and moves a run on by a step; or nothing of it. */
  insert(setting: WriteSetting, step: ImportStep | null): Steps<Outcome<WriteAllResult>> {
    const bulk = { groups: this.#groups, count: this.#count, step };
    return insertGroups(setting, bulk, (groupSetting, group) => this.#insert(groupSetting, group));
  }

  #changeOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#connection.run(sql`INSERT INTO ${this.#changes} (c, changed) VALUES (${number}, ${text})`);
    this.#numbers.set(text, number);
    return number;
  }

  #groupOf(group: BulkGroup): StagedGroup {
    for (const staged of this.#groups) if (staged.isOf(group)) return staged;
    const staged = new StagedGroup(group, this.#groups.length, KEY_COLUMNS);
    this.#groups.push(staged);
    return staged;
  }

  *#insert(setting: GroupSetting, group: StagedGroup): Steps<boolean> {
    const rows = sql`${this.#table} s WHERE s.g = ${group.number}`;
    if (group.keepsIds && (yield* this.#isIdHeld(setting, group))) return false;
    for (const slot of group.index)
      if (group.free.has(slot.path) && (yield* this.#isHeld(setting, group, slot))) return false;
    if (!(yield* inserted(resourceRows(setting, group, rows), group.count))) return false;
    for (const slot of group.unique) if (!(yield* this.#insertUnique(setting, group, slot))) return false;
    if (!(yield* inserted(eventRows(setting, group, { rows, changes: this.#changes }), group.count)))
      return false;
    yield* this.#insertIndex(setting, group);
    return true;
  }

  /** Whether a resource of another type has one of the ids. */
  *#isIdHeld({ scope: { tenant } }: GroupSetting, { type, number }: StagedGroup): Steps<boolean> {
    for (const other of yield* otherTypes(tenant, type)) {
      const { rows }: Answer = yield sql`SELECT 1 AS held FROM ${this.#table} s WHERE s.g = ${number}
        AND EXISTS (SELECT 1 FROM resources r WHERE r.tenant = ${tenant} AND r.type = ${other} AND r.id = s.id) LIMIT 1`;
      if (rows.length > 0) return true;
    }
    return false;
  }

  /** Whether somebody holds one of the keys for a path. */
  *#isHeld(
    setting: GroupSetting,
    { head, number }: StagedGroup,
    { column, path, others }: Slot<BulkEntries>,
  ): Steps<boolean> {
    if (column !== null) {
      const { rows }: Answer = yield sql`SELECT 1 AS held FROM (${this.#sortedKeys(number, column)}) e
        WHERE EXISTS (SELECT 1 FROM attribute_index x WHERE x.tenant = ${setting.scope.tenant}
          AND x.type = ${head.type} AND x.path = ${path} AND x.key = e.key) LIMIT 1`;
      if (rows.length > 0) return true;
    }
    for (const { values } of others) if (yield* isHeld(setting, head, values)) return true;
    return false;
  }

  *#insertIndex(setting: GroupSetting, { head, number, index }: StagedGroup): Steps<void> {
    const { tenant } = setting.scope;
    for (const { path, column } of index)
      if (column !== null)
        yield sql`INSERT OR IGNORE INTO attribute_index (tenant, type, path, key, id)
          SELECT ${tenant}, ${head.type}, ${path}, e.key, e.id FROM (${this.#sortedKeys(number, column)}) e`;
    for (const { others } of index)
      for (const { part, values } of others)
        for (const { statement } of insertions(indexRows(setting, { ...head, ids: part }, values)))
          yield statement;
  }

  *#insertUnique(
    setting: GroupSetting,
    { head, number }: StagedGroup,
    { column, scope, path, count, others }: UniqueSlot,
  ): Steps<boolean> {
    const { tenant } = setting.scope;
    if (column !== null) {
      const statement = sql`INSERT OR IGNORE INTO unique_values (tenant, scope, path, key, type, id)
        SELECT ${tenant}, ${scope}, ${path}, e.key, ${head.type}, e.id FROM (${this.#sortedKeys(number, column)}) e`;
      if (!(yield* inserted(statement, count))) return false;
    }
    for (const { part, values } of others)
      for (const other of insertions(uniqueRows(setting, { ...head, ids: part }, values)))
        if (!(yield* inserted(other.statement, other.rows))) return false;
    return true;
  }

  /** The keys of a column and the ids that they are of. The limit keeps SQLite from sorting what is made of them instead. */
  #sortedKeys(group: number, column: Sql): Sql {
    return sql`SELECT s.${column} AS key, s.id FROM ${this.#table} s
      WHERE s.g = ${group} AND s.${column} IS NOT NULL ORDER BY s.${column} LIMIT -1`;
  }
}

function* inserted(statement: Sql, rows: number): Steps<boolean> {
  const { changes }: Answer = yield statement;
  return changes === rows;
}

function resourceRows(
  { scope: { tenant, connection }, isIndexed }: GroupSetting,
  { type }: StagedGroup,
  rows: Sql,
): Sql {
  return sql`INSERT OR IGNORE INTO resources (tenant, type, id, connection, revision, version, created, last_modified,
      body, indexed_version)
    SELECT ${tenant}, ${type}, s.id, ${connection}, 1, s.version, coalesce(s.created, s.at), s.at, s.body,
      CASE WHEN ${isIndexed ? 1 : 0} THEN s.version END FROM ${rows}`;
}

function eventRows(
  { scope: { tenant, connection }, number, sequenceOf }: GroupSetting,
  { head: { type, subject, origin } }: StagedGroup,
  { rows, changes }: { readonly rows: Sql; readonly changes: Sql },
): Sql {
  return sql`INSERT OR IGNORE INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
      version, changed, before, after, collections, origin)
    SELECT ${tenant}, ${number}, s.n + ${sequenceOf(0)}, s.at, ${connection}, ${subject}, 'created', ${type}, s.id,
      s.version, (SELECT c.changed FROM ${changes} c WHERE c.c = s.c), NULL, s.body, NULL, ${origin} FROM ${rows}`;
}
