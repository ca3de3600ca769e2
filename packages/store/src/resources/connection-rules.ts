/**
 * Rules of connections in SQL. That a rule is held is a row among the unique values, which every writing statement asks
 * for: no process need hear of it, and none that is late breaks it.
 * @module
 */
import {
  type ConnectionRule,
  type ConnectionRules,
  type FilledPage,
  type HeldTwice,
  MOST_NAMED,
  type RuleState,
  type UniqueEntry,
} from "@scim/core";
import type { JsonObject } from "@scim/schemas";
import type { Dialect } from "../dialect.ts";
import { type Insert, insertions } from "../imports/many-rows.ts";
import { type Sql, sql } from "../sql.ts";
import { type Answer, type Executor, numberOf, type Outcome, type Steps, textOf } from "../steps.ts";
import { transactionsOver } from "../tenancy/transactions-over.ts";
import { heldRule, rulePath } from "./entries.ts";
import { parseObject } from "./rows.ts";

/** Resources that one step looks at. */
const LOOKED_AT = 1000;

/** Resources whose values one transaction takes: few enough that no writer waits long. */
const BATCH = 250;

/** What names the resource in the row of a rule: no id has these characters. */
const FILLING = "filling:";
const COMPLETE = "complete:";

/** Whether what a unique value names as its resource is the state of a rule. */
export function namesRule(id: string): boolean {
  return id.startsWith(FILLING) || id.startsWith(COMPLETE);
}

/** Makes what holds the rules of a database. */
export function createConnectionRules(executor: Executor, dialect: Dialect): ConnectionRules {
  return {
    state: (rule) => executor.read(readRuleState(rule, dialect)),
    begin: (rule, token) => executor.write(() => kept(begin(rule, token, dialect))),
    earlierWritesOver: (tenant) => transactionsOver(executor, dialect, tenant),
    fill: async (rule, after, entryOf) => {
      await executor.pause();
      const { lacking, seen, next } = await executor.read(readLacking(rule, after ?? ""));
      const first: HeldTwice[] = [];
      let refused = 0;
      for (let start = 0; start < lacking.length; start += BATCH) {
        const ids = lacking.slice(start, start + BATCH);
        const page = await executor.write(() => kept(takeValues({ rule, ids, entryOf, dialect })));
        refused += page.refused;
        first.push(...page.first.slice(0, MOST_NAMED - first.length));
        await executor.pause();
      }
      return { next, seen, refused, first };
    },
    complete: (rule, token) => executor.write(() => kept(complete(rule, token, dialect))),
    end: async (rule, token) => {
      await executor.write(() => kept(end(rule, token, dialect)));
    },
  };
}

function* kept<Result>(steps: Steps<Result>): Steps<Outcome<Result>> {
  return { keep: true, result: yield* steps };
}

/** How far a rule is held; null where it is not. */
export function* readRuleState(
  rule: Pick<ConnectionRule, "tenant" | "scope" | "path">,
  dialect: Dialect,
): Steps<RuleState | null> {
  const { rows }: Answer = yield sql`SELECT h.id ${heldRule(rule.tenant, rule, dialect)}`;
  const [row] = rows;
  if (row === undefined) return null;
  const name = textOf(row, "id");
  const isComplete = name.startsWith(COMPLETE);
  return { token: name.slice((isComplete ? COMPLETE : FILLING).length), complete: isComplete };
}

function* begin({ tenant, scope, path, type }: ConnectionRule, token: string, dialect: Dialect): Steps<void> {
  yield sql`INSERT INTO unique_values (tenant, scope, path, key, type, id)
    VALUES (${tenant}, ${scope}, ${rulePath(path)}, ${dialect.keys.bounded("")}, ${type}, ${FILLING + token})
    ON CONFLICT (tenant, scope, path, key) DO UPDATE SET id = excluded.id`;
}

function* complete(rule: ConnectionRule, token: string, dialect: Dialect): Steps<boolean> {
  const { changes }: Answer = yield sql`UPDATE unique_values SET id = ${COMPLETE + token}
    WHERE ${ofRule(rule, dialect)} AND id = ${FILLING + token}`;
  return changes > 0;
}

function* end(rule: ConnectionRule, token: string, dialect: Dialect): Steps<void> {
  yield sql`DELETE FROM unique_values
    WHERE ${ofRule(rule, dialect)} AND id IN (${FILLING + token}, ${COMPLETE + token})`;
}

function ofRule({ tenant, scope, path }: ConnectionRule, { keys }: Dialect): Sql {
  return sql`tenant = ${tenant} AND scope = ${scope} AND path = ${rulePath(path)} AND key = ${keys.bounded("")}`;
}

interface Lacking {
  /** Ids of resources of the rule that hold no value. */
  readonly lacking: readonly string[];
  readonly seen: number;
  readonly next: string | null;
}

/** Looks at the next resources, whosoever they are: so a step costs the same where few are the connection's. */
function* readLacking(
  { tenant, connection, type, scope, path }: ConnectionRule,
  after: string,
): Steps<Lacking> {
  const { rows }: Answer =
    yield sql`SELECT r.id, CASE WHEN r.connection <> ${connection} OR r.deleted IS NOT NULL THEN 0
      WHEN EXISTS (SELECT 1 FROM unique_values u WHERE u.tenant = ${tenant} AND u.type = ${type}
        AND u.id = r.id AND u.scope = ${scope} AND u.path = ${path}) THEN 1 ELSE 2 END AS place
    FROM resources r WHERE r.tenant = ${tenant} AND r.type = ${type} AND r.id > ${after}
    ORDER BY r.id LIMIT ${LOOKED_AT}`;
  const last = rows.at(-1);
  return {
    lacking: rows.filter((row) => numberOf(row, "place") === 2).map((row) => textOf(row, "id")),
    seen: rows.filter((row) => numberOf(row, "place") > 0).length,
    next: last === undefined || rows.length < LOOKED_AT ? null : textOf(last, "id"),
  };
}

interface Taking {
  readonly rule: ConnectionRule;
  readonly ids: readonly string[];
  readonly entryOf: (body: JsonObject) => UniqueEntry | null;
  readonly dialect: Dialect;
}

/** A resource, and what is taken for it. */
interface Taken {
  readonly id: string;
  readonly body: JsonObject;
  readonly entry: UniqueEntry;
}

/** Takes the values of resources that nobody changes meanwhile. */
function* takeValues({ rule, ids, entryOf, dialect }: Taking): Steps<Pick<FilledPage, "refused" | "first">> {
  const { tenant, type } = rule;
  const wantedIds = dialect.among(sql`r.id`, sql`SELECT l.value FROM ${dialect.idList(ids)} l`);
  const { rows }: Answer = yield sql`SELECT r.id, r.body FROM resources r WHERE r.tenant = ${tenant}
    AND r.type = ${type} AND ${wantedIds} AND r.deleted IS NULL ORDER BY r.id ${dialect.lockedRows}`;
  const wanted = rows.flatMap((row): readonly Taken[] => {
    const body = parseObject(textOf(row, "body"));
    const entry = entryOf(body);
    return entry === null ? [] : [{ id: textOf(row, "id"), body, entry }];
  });
  let taken = 0;
  for (const { statement } of insertions(valueRows(rule, wanted, dialect)))
    taken += (yield statement).changes;
  // Whoever took its value since it was looked at is no duplicate.
  if (taken === wanted.length) return { refused: 0, first: [] };
  const refused = yield* heldByOthers(rule, wanted, dialect);
  return { refused: refused.length, first: refused.slice(0, MOST_NAMED) };
}

function valueRows({ tenant, type }: ConnectionRule, wanted: readonly Taken[], { keys }: Dialect): Insert {
  return {
    into: "INSERT INTO unique_values (tenant, scope, path, key, type, id)",
    rows: wanted.length,
    write: (row, params) => {
      const taken = wanted[row];
      if (taken === undefined) throw new TypeError("There are fewer values than rows");
      const { id, entry } = taken;
      params.push(tenant, entry.scope, entry.path, keys.bounded(entry.key), type, id);
      return "(?, ?, ?, ?, ?, ?)";
    },
  };
}

function* heldByOthers(
  { tenant, scope, path }: ConnectionRule,
  wanted: readonly Taken[],
  { keys }: Dialect,
): Steps<readonly HeldTwice[]> {
  const found: HeldTwice[] = [];
  for (const { id, body, entry } of wanted) {
    const { rows }: Answer = yield sql`SELECT u.id FROM unique_values u WHERE u.tenant = ${tenant}
      AND u.scope = ${scope} AND u.path = ${path} AND u.key = ${keys.bounded(entry.key)} AND u.id <> ${id}`;
    for (const row of rows) found.push({ id, body, holder: textOf(row, "id") });
  }
  return found;
}
