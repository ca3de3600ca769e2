/**
 * Inserts the rows of new resources by statements of many rows, each with its values beside it.
 * @module
 */
import { findHolders } from "../resources/holders.ts";
import { otherTypes } from "../resources/kept-ids.ts";
import { sql, type SqlValue } from "../sql.ts";
import type { Answer, Steps } from "../steps.ts";
import type { BulkEntries, BulkGroup, BulkValues } from "./bulk.ts";
import type { GroupSetting } from "./insert-bulk.ts";
import { type Insert, insertions } from "./many-rows.ts";

/** Inserts the rows of a group; answers false where one of them stands in the way of all. */
export function* insertRows(setting: GroupSetting, group: BulkGroup): Steps<boolean> {
  if (group.keepsIds && (yield* isIdHeld(setting, group))) return false;
  for (const entries of group.index)
    if (group.free.includes(entries.path) && (yield* isHeld(setting, group, entries))) return false;
  const demanded = [
    resourceRows(setting, group),
    ...group.unique.map((values) => uniqueRows(setting, group, values)),
    eventRows(setting, group),
  ];
  for (const insert of demanded) {
    for (const { statement, rows } of insertions(insert)) {
      const { changes }: Answer = yield statement;
      if (changes < rows) return false;
    }
  }
  for (const entries of group.index)
    for (const { statement } of insertions(indexRows(setting, group, entries))) yield statement;
  return true;
}

/** Whether a resource of another type has one of the ids. */
function* isIdHeld({ scope: { tenant }, dialect }: GroupSetting, { type, ids }: BulkGroup): Steps<boolean> {
  for (const other of yield* otherTypes(tenant, type)) {
    const { rows }: Answer = yield sql`SELECT 1 AS held FROM resources r WHERE r.tenant = ${tenant}
      AND r.type = ${other} AND ${dialect.among(sql`r.id`, sql`SELECT value FROM ${dialect.idList(ids)} ids`)} LIMIT 1`;
    if (rows.length > 0) return true;
  }
  return false;
}

/** Whether somebody holds one of the keys. */
export function* isHeld(
  { scope: { tenant }, dialect }: GroupSetting,
  { type }: Pick<BulkGroup, "type">,
  { path, keys }: BulkEntries,
): Steps<boolean> {
  const holders = yield* findHolders(tenant, { type, path, unique: null, keys }, dialect);
  return holders.length > 0;
}

function resourceRows({ scope, isIndexed }: GroupSetting, group: BulkGroup): Insert {
  const { type, ids, versions, created, ats, bodies } = group;
  return {
    into: `INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body,
      indexed_version)`,
    rows: ids.length,
    write: (row, params) => {
      const version = at(versions, row);
      const now = at(ats, row);
      params.push(scope.tenant, type, at(ids, row), scope.connection, version, at(created, row) ?? now);
      params.push(now, at(bodies, row), isIndexed ? version : null);
      return "(?, ?, ?, ?, 1, ?, ?, ?, ?, ?)";
    },
  };
}

/** The rows of values that must be unique. */
export function uniqueRows(
  { scope: { tenant }, dialect }: GroupSetting,
  { type, ids }: Pick<BulkGroup, "type" | "ids">,
  { scope, path, owners, keys }: BulkValues,
): Insert {
  return {
    into: "INSERT INTO unique_values (tenant, scope, path, key, type, id)",
    rows: owners.length,
    write: (row, params) => {
      params.push(tenant, scope, path, dialect.keys.bounded(at(keys, row)), type, at(ids, at(owners, row)));
      return "(?, ?, ?, ?, ?, ?)";
    },
  };
}

/** The rows of index entries. */
export function indexRows(
  { scope: { tenant }, dialect }: GroupSetting,
  { type, ids }: Pick<BulkGroup, "type" | "ids">,
  { path, owners, keys }: BulkEntries,
): Insert {
  return {
    into: `INSERT INTO attribute_index (tenant, type, path, ${dialect.keys.entryColumns.text}, id)`,
    rows: owners.length,
    write: (row, params) => {
      const entry = dialect.keys.entry(at(keys, row));
      params.push(tenant, type, path, ...entry.params, at(ids, at(owners, row)));
      return `(?, ?, ?, ${entry.text}, ?)`;
    },
  };
}

function eventRows({ scope, number, sequenceOf }: GroupSetting, group: BulkGroup): Insert {
  const { type, subject, origin, places, ids, versions, ats, bodies, changed, changes } = group;
  const text = `(?, ${number.text}, ?, ?, ?, ?, 'created', ?, ?, ?, ?, NULL, ?, NULL, ?)`;
  return {
    into: `INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
      version, changed, before, after, collections, origin)`,
    rows: ids.length,
    write: (row, params) => {
      params.push(
        scope.tenant,
        ...number.params,
        sequenceOf(at(places, row)),
        at(ats, row),
        scope.connection,
        subject,
      );
      const change = at(changes, at(changed, row));
      params.push(type, at(ids, row), at(versions, row), change, at(bodies, row), origin);
      return text;
    },
  };
}

/** What stands at a place of a column. */
function at<Value extends SqlValue | boolean>(column: readonly Value[], row: number): Value {
  const value = column[row];
  if (value === undefined) throw new TypeError("The columns of a bulk are of different length");
  return value;
}
