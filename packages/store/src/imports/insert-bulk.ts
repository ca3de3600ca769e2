/**
 * Writes new resources with few statements: many rows each. What they leave is what one plan after another leaves.
 * @module
 */
import type { WriteAllResult } from "@scim/core";
import { revisionOf } from "../indexes/view.ts";
import type { WriteSetting } from "../resources/plan-parts.ts";
import { type Sql, sql, type SqlValue } from "../sql.ts";
import { type Answer, numberOf, type Outcome, type Steps } from "../steps.ts";
import type { Bulk, BulkEntry, BulkResource } from "./bulk.ts";
import { moveOn } from "./progress.ts";

/** Parameters of one statement at most: far below what any database takes. */
const PARAMETERS = 240;

/** Why nothing is kept: only the plans one by one tell which of them stands in the way. */
const REFUSED: Outcome<WriteAllResult> = { keep: false, result: { kind: "refused", result: null } };

/** Writes resources and the step of a run, or nothing of it. */
export function* insertBulk(setting: WriteSetting, bulk: Bulk): Steps<Outcome<WriteAllResult>> {
  const { tenant } = setting.scope;
  const inserts = [
    { rows: yield* resourceRows(setting, bulk), into: RESOURCES, demanded: true },
    { rows: uniqueRows(setting, bulk), into: UNIQUE_VALUES, demanded: true },
    { rows: indexRows(setting, bulk), into: indexTable(setting), demanded: false },
    { rows: yield* eventRows(setting, bulk), into: EVENTS, demanded: true },
  ];
  for (const { rows, into, demanded } of inserts) {
    for (const { statement, count } of inserted(into, rows)) {
      const { changes }: Answer = yield statement;
      if (demanded && changes < count) return REFUSED;
    }
  }
  for (const [type, count] of countsOf(bulk)) {
    yield sql`INSERT INTO resource_counters (tenant, type, shard, n)
      VALUES (${tenant}, ${type}, ${setting.dialect.counterShard()}, ${count})
      ON CONFLICT (tenant, type, shard) DO UPDATE SET n = resource_counters.n + excluded.n`;
  }
  if (bulk.step !== null) yield moveOn(tenant, bulk.step);
  return { keep: true, result: { kind: "written" } };
}

/** A row: its text between brackets, and its parameters. */
interface Values {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

const RESOURCES = `INSERT INTO resources (tenant, type, id, connection, revision, version, created, last_modified,
  body, indexed_version) VALUES `;
const UNIQUE_VALUES = "INSERT INTO unique_values (tenant, scope, path, key, type, id) VALUES ";
const EVENTS = `INSERT INTO events (tenant, transaction_number, sequence, at, connection, subject, kind, type, id,
  version, changed, before, after, collections) VALUES `;

function indexTable({ dialect }: WriteSetting): string {
  return `INSERT INTO attribute_index (tenant, type, path, ${dialect.keys.entryColumns.text}, id) VALUES `;
}

function* resourceRows({ scope }: WriteSetting, { resources }: Bulk): Steps<readonly Values[]> {
  const revisions = new Map<string, number>();
  for (const type of new Set(resources.map((resource) => resource.type))) {
    // A catalog that moves on from here waits for this transaction before it builds.
    const { rows }: Answer = yield sql`SELECT ${revisionOf(scope.tenant, type)} AS revision`;
    const [row] = rows;
    if (row !== undefined) revisions.set(type, numberOf(row, "revision"));
  }
  return resources.map(({ type, id, version, created, at, body, indexRevision }) => ({
    text: "(?, ?, ?, ?, 1, ?, ?, ?, ?, ?)",
    params: [
      scope.tenant,
      type,
      id,
      scope.connection,
      version,
      created,
      at,
      body,
      indexRevision === revisions.get(type) ? version : null,
    ],
  }));
}

function uniqueRows({ scope, dialect }: WriteSetting, { resources, unique }: Bulk): readonly Values[] {
  return unique.map(({ owner, scope: over, path, key }) => {
    const { type, id } = ownerOf(resources, owner);
    return {
      text: "(?, ?, ?, ?, ?, ?)",
      params: [scope.tenant, over, path, dialect.keys.bounded(key), type, id],
    };
  });
}

/** In the order of the attributes, so that neighbours are written one after another. */
function indexRows({ scope, dialect }: WriteSetting, { resources, index }: Bulk): readonly Values[] {
  const byPath = Map.groupBy(index, ({ path }) => path);
  return [...byPath.values()].flat().map(({ owner, path, key }: BulkEntry) => {
    const { type, id } = ownerOf(resources, owner);
    const entry = dialect.keys.entry(key);
    return { text: `(?, ?, ?, ${entry.text}, ?)`, params: [scope.tenant, type, path, ...entry.params, id] };
  });
}

function* eventRows({ scope, transaction }: WriteSetting, { resources }: Bulk): Steps<readonly Values[]> {
  const number: Sql = yield* transaction.number(scope.tenant);
  return resources.map(({ type, id, version, at, body, subject, changed }) => ({
    text: `(?, ${number.text}, ?, ?, ?, ?, 'created', ?, ?, ?, ?, NULL, ?, NULL)`,
    params: [
      scope.tenant,
      ...number.params,
      transaction.nextSequence(),
      at,
      scope.connection,
      subject,
      type,
      id,
      version,
      changed,
      body,
    ],
  }));
}

function ownerOf(resources: readonly BulkResource[], owner: number): BulkResource {
  const found = resources[owner];
  if (found === undefined) throw new TypeError("An entry belongs to no resource");
  return found;
}

function countsOf({ resources }: Bulk): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}

/** Statements of as many rows as fit, each with how many it is to insert. */
function* inserted(
  into: string,
  rows: readonly Values[],
): Generator<{ readonly statement: Sql; readonly count: number }, void, undefined> {
  let texts: string[] = [];
  let params: SqlValue[] = [];
  for (const row of rows) {
    if (params.length + row.params.length > PARAMETERS) {
      yield { statement: statementOf(into, texts, params), count: texts.length };
      texts = [];
      params = [];
    }
    texts.push(row.text);
    for (const value of row.params) params.push(value);
  }
  if (texts.length > 0) yield { statement: statementOf(into, texts, params), count: texts.length };
}

function statementOf(into: string, texts: readonly string[], params: readonly SqlValue[]): Sql {
  return { text: `${into}${texts.join(", ")} ON CONFLICT DO NOTHING`, params };
}
