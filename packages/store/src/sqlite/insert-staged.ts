/**
 * Inserts the rows of new resources from a table in memory: each value is handed over once, and each table is then
 * filled by one statement, in the order of its index. A statement leaves out what stands in the way (`OR IGNORE`)
 * instead of failing, so that SQLite keeps no pages to take it back: whoever runs it takes back the transaction.
 * @module
 */
import type { ComparisonKey } from "@scim/filter";
import type { BulkEntries, BulkGroup, BulkValues } from "../imports/bulk.ts";
import type { GroupSetting } from "../imports/insert-bulk.ts";
import { indexRows, isHeld, uniqueRows } from "../imports/insert-rows.ts";
import { type Insert, insertions } from "../imports/many-rows.ts";
import { type Sql, sql, type SqlValue } from "../sql.ts";
import type { Answer, Steps } from "../steps.ts";

/** Columns of the table for keys. What does not fit is inserted beside it. */
const KEY_COLUMNS = Array.from({ length: 16 }, (_, column): Sql => ({ text: `k${column}`, params: [] }));

const RESOURCE_COLUMNS = ["n", "id", "version", "at", "created", "body", "changed"];

/** The statement that makes the table, which is the connection's alone. */
export const STAGE = `CREATE TEMP TABLE staged (${[...RESOURCE_COLUMNS.slice(1), ...KEY_COLUMNS.map(({ text }) => text)].join(", ")},
  n INTEGER PRIMARY KEY)`;

/** The first keys of all resources for one path, in a column of the table; and the others. */
interface Slot<Entries extends BulkEntries> {
  /** Null where the table has no column left. */
  readonly column: Sql | null;
  readonly first: readonly (ComparisonKey | null)[];
  /** How many resources have one. */
  readonly count: number;
  readonly entries: Entries;
  /** Those that have no place in the column. */
  readonly others: Entries;
}

/** Inserts the rows of a group; answers false where one of them stands in the way of all. */
export function* insertStaged(setting: GroupSetting, group: BulkGroup): Steps<boolean> {
  const unique = group.unique.map((values, place) => slotOf(group, values, place));
  const index = group.index.map((entries, place) => slotOf(group, entries, unique.length + place));
  yield sql`DELETE FROM temp.staged`;
  yield* all(stagedRows(setting, group, [...unique, ...index]));
  for (const slot of index)
    if (group.free.includes(slot.entries.path) && (yield* isSlotHeld(setting, group, slot))) return false;
  if (!(yield* inserted(resourceRows(setting, group), group.ids.length))) return false;
  for (const slot of unique) {
    const statement = uniqueColumn(setting, group, slot);
    if (statement !== null && !(yield* inserted(statement, slot.count))) return false;
    for (const other of insertions(uniqueRows(setting, group, slot.others)))
      if (!(yield* inserted(other.statement, other.rows))) return false;
  }
  if (!(yield* inserted(eventRows(setting, group), group.ids.length))) return false;
  for (const slot of index) {
    const statement = indexColumn(setting, group, slot);
    if (statement !== null) yield statement;
    yield* all(indexRows(setting, group, slot.others));
  }
  return true;
}

/** Whether somebody holds one of the keys for a path. */
function* isSlotHeld(
  setting: GroupSetting,
  group: BulkGroup,
  { column, entries: { path }, others }: Slot<BulkEntries>,
): Steps<boolean> {
  if (column !== null) {
    const { rows }: Answer =
      yield sql`SELECT 1 AS held FROM temp.staged s WHERE s.${column} IS NOT NULL AND EXISTS (
      SELECT 1 FROM attribute_index x WHERE x.tenant = ${setting.scope.tenant} AND x.type = ${group.type}
        AND x.path = ${path} AND x.key = s.${column}) LIMIT 1`;
    if (rows.length > 0) return true;
  }
  return yield* isHeld(setting, group, others);
}

function* inserted(statement: Sql, rows: number): Steps<boolean> {
  const { changes }: Answer = yield statement;
  return changes === rows;
}

function* all(insert: Insert): Steps<void> {
  for (const { statement } of insertions(insert)) yield statement;
}

function slotOf<Entries extends BulkEntries>(
  { ids }: BulkGroup,
  entries: Entries,
  place: number,
): Slot<Entries> {
  const column = KEY_COLUMNS[place] ?? null;
  const first = Array.from({ length: ids.length }, (): ComparisonKey | null => null);
  if (column === null) return { column, first, count: 0, entries, others: entries };
  const owners: number[] = [];
  const keys: ComparisonKey[] = [];
  for (const [row, key] of entries.keys.entries()) {
    const owner = entries.owners[row] ?? 0;
    if (first[owner] === null) first[owner] = key;
    else {
      owners.push(owner);
      keys.push(key);
    }
  }
  const count = entries.keys.length - keys.length;
  return { column, first, count, entries, others: { ...entries, owners, keys } };
}

function stagedRows(
  { sequences, dialect }: GroupSetting,
  group: BulkGroup,
  slots: readonly Slot<BulkEntries>[],
): Insert {
  const { ids, versions, ats, created, bodies, changed } = group;
  const placed = slots.filter(({ column }) => column !== null);
  const names = [...RESOURCE_COLUMNS, ...placed.map(({ column }) => column?.text)];
  const row = `(${names.map(() => "?").join(", ")})`;
  return {
    into: `INSERT INTO temp.staged (${names.join(", ")})`,
    rows: ids.length,
    known: "fails",
    write: (at, params) => {
      const columns: readonly (readonly SqlValue[])[] = [
        sequences,
        ids,
        versions,
        ats,
        created,
        bodies,
        changed,
      ];
      for (const column of columns) params.push(column[at] ?? null);
      for (const { first } of placed) {
        const key = first[at] ?? null;
        params.push(key === null ? null : dialect.keys.bounded(key));
      }
      return row;
    },
  };
}

function resourceRows({ scope: { tenant, connection }, isIndexed }: GroupSetting, { type }: BulkGroup): Sql {
  return sql`INSERT OR IGNORE INTO resources (tenant, type, id, connection, revision, version, created, last_modified,
      body, indexed_version)
    SELECT ${tenant}, ${type}, s.id, ${connection}, 1, s.version, s.created, s.at, s.body,
      CASE WHEN ${isIndexed ? 1 : 0} THEN s.version END FROM temp.staged s`;
}

function uniqueColumn(
  { scope: { tenant } }: GroupSetting,
  { type }: BulkGroup,
  { column, entries: { scope, path } }: Slot<BulkValues>,
): Sql | null {
  if (column === null) return null;
  return sql`INSERT OR IGNORE INTO unique_values (tenant, scope, path, key, type, id)
    SELECT ${tenant}, ${scope}, ${path}, s.${column}, ${type}, s.id FROM temp.staged s
    WHERE s.${column} IS NOT NULL ORDER BY s.${column}`;
}

function indexColumn(
  { scope: { tenant } }: GroupSetting,
  { type }: BulkGroup,
  { column, entries: { path } }: Slot<BulkEntries>,
): Sql | null {
  if (column === null) return null;
  return sql`INSERT OR IGNORE INTO attribute_index (tenant, type, path, key, id)
    SELECT ${tenant}, ${type}, ${path}, s.${column}, s.id FROM temp.staged s
    WHERE s.${column} IS NOT NULL ORDER BY s.${column}`;
}

function eventRows({ scope: { tenant, connection }, number }: GroupSetting, group: BulkGroup): Sql {
  const { type, subject, origin } = group;
  return sql`INSERT OR IGNORE INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
      version, changed, before, after, collections, origin)
    SELECT ${tenant}, ${number}, s.n, s.at, ${connection}, ${subject}, 'created', ${type}, s.id, s.version, s.changed,
      NULL, s.body, NULL, ${origin} FROM temp.staged s`;
}
