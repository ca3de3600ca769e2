/**
 * Writes new resources with few statements: many rows each. What they leave is what one plan after another leaves.
 * @module
 */
import type { WriteAllResult } from "@scim/core";
import { revisionOf } from "../indexes/view.ts";
import type { WriteSetting } from "../resources/plan-parts.ts";
import { type Sql, sql, type SqlValue } from "../sql.ts";
import { type Answer, numberOf, type Outcome, type Steps } from "../steps.ts";
import type { Bulk, BulkResources } from "./bulk.ts";
import { insertions, type Insert } from "./many-rows.ts";
import { moveOn } from "./progress.ts";

/** Why nothing is kept: only the plans one by one tell which of them stands in the way. */
const REFUSED: Outcome<WriteAllResult> = { keep: false, result: { kind: "refused", result: null } };

/** Writes resources and the step of a run, or nothing of it. */
export function* insertBulk(setting: WriteSetting, bulk: Bulk): Steps<Outcome<WriteAllResult>> {
  const { tenant } = setting.scope;
  const number = yield* setting.transaction.number(tenant);
  const revisions = yield* readRevisions(tenant, bulk.resources);
  const demanded = [
    resourceRows(setting, bulk, revisions),
    uniqueRows(setting, bulk),
    eventRows(setting, bulk, number),
  ];
  for (const insert of demanded) {
    for (const { statement, rows } of insertions(insert)) {
      const { changes }: Answer = yield statement;
      if (changes < rows) return REFUSED;
    }
  }
  for (const { statement } of insertions(indexRows(setting, bulk))) yield statement;
  for (const [type, count] of countsOf(bulk.resources)) {
    yield sql`INSERT INTO resource_counters (tenant, type, shard, n)
      VALUES (${tenant}, ${type}, ${setting.dialect.counterShard()}, ${count})
      ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n`;
  }
  if (bulk.step !== null) yield moveOn(tenant, bulk.step);
  return { keep: true, result: { kind: "written" } };
}

/** Revisions of the catalogs of indexes. One that moves on from here waits for this transaction before it builds. */
function* readRevisions(tenant: string, { types }: BulkResources): Steps<ReadonlyMap<string, number>> {
  const revisions = new Map<string, number>();
  for (const type of new Set(types)) {
    const { rows }: Answer = yield sql`SELECT ${revisionOf(tenant, type)} AS revision`;
    const [row] = rows;
    if (row !== undefined) revisions.set(type, numberOf(row, "revision"));
  }
  return revisions;
}

function resourceRows(
  { scope }: WriteSetting,
  { resources }: Bulk,
  revisions: ReadonlyMap<string, number>,
): Insert {
  const { types, ids, versions, created, ats, bodies, indexRevisions } = resources;
  return {
    into: `INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified, body,
      indexed_version)`,
    rows: ids.length,
    write: (row, params) => {
      const type = at(types, row);
      const isIndexed = indexRevisions[row] === revisions.get(type);
      params.push(scope.tenant, type, at(ids, row), scope.connection, at(versions, row), at(created, row));
      params.push(at(ats, row), at(bodies, row), isIndexed ? at(versions, row) : null);
      return "(?, ?, ?, ?, 1, ?, ?, ?, ?, ?)";
    },
  };
}

function uniqueRows({ scope, dialect }: WriteSetting, { resources, unique }: Bulk): Insert {
  const { owners, scopes, paths, keys } = unique;
  return {
    into: "INSERT INTO unique_values (tenant, scope, path, key, type, id)",
    rows: owners.length,
    write: (row, params) => {
      const owner = at(owners, row);
      params.push(scope.tenant, at(scopes, row), at(paths, row), dialect.keys.bounded(at(keys, row)));
      params.push(at(resources.types, owner), at(resources.ids, owner));
      return "(?, ?, ?, ?, ?, ?)";
    },
  };
}

function indexRows({ scope, dialect }: WriteSetting, { resources, index }: Bulk): Insert {
  const { owners, paths, keys } = index;
  return {
    into: `INSERT INTO attribute_index (tenant, type, path, ${dialect.keys.entryColumns.text}, id)`,
    rows: owners.length,
    write: (row, params) => {
      const owner = at(owners, row);
      const entry = dialect.keys.entry(at(keys, row));
      params.push(
        scope.tenant,
        at(resources.types, owner),
        at(paths, row),
        ...entry.params,
        at(resources.ids, owner),
      );
      return `(?, ?, ?, ${entry.text}, ?)`;
    },
  };
}

function eventRows({ scope, transaction }: WriteSetting, { resources }: Bulk, number: Sql): Insert {
  const { types, ids, versions, ats, bodies, subjects, changed, origins } = resources;
  const text = `(?, ${number.text}, ?, ?, ?, ?, 'created', ?, ?, ?, ?, NULL, ?, NULL, ?)`;
  return {
    into: `INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
      version, changed, before, after, collections, origin)`,
    rows: ids.length,
    write: (row, params) => {
      params.push(scope.tenant, ...number.params, transaction.nextSequence(), at(ats, row), scope.connection);
      params.push(at(subjects, row), at(types, row), at(ids, row), at(versions, row), at(changed, row));
      params.push(at(bodies, row), at(origins, row));
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

function countsOf({ types }: BulkResources): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
