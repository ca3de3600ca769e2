/**
 * The statements that answer a query, and the plans that SQLite makes for them.
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { filterOf, indexPage, NOTHING, SCOPE, sortOf } from "@scim/core/testing";
import type { ReadSelection, StoreQuery } from "@scim/core";
import { answerBeside } from "../../src/query/answer.ts";
import { emptyView, type IndexView } from "../../src/indexes/view.ts";
import type { Sql } from "../../src/sql.ts";
import { sqliteDialect } from "../../src/sqlite/dialect.ts";
import { type Answer, isBatch, NO_ANSWER, type Steps } from "../../src/steps.ts";

/** A query as a test writes it. */
export interface TestQuery {
  readonly type: "User" | "Group" | "Badge";
  readonly filter?: string;
  readonly sortBy?: string;
  readonly descending?: boolean;
  readonly select?: ReadSelection;
  /** What is known of the indexes; by default that nothing was declared. */
  readonly indexes?: IndexView;
  /** By default the first ten by number. */
  readonly page?: StoreQuery["page"];
}

/** A statement with its text on one line, and the steps of its plan. */
export interface TracedStatement {
  readonly text: string;
  readonly params: readonly unknown[];
  readonly plan: readonly string[];
  /** How many rows it answered. */
  readonly rows: number;
}

/** What became of a query, and the statements on the way. */
export interface TracedQuery {
  readonly outcome: string;
  readonly statements: readonly TracedStatement[];
}

/** Runs a query on a database file. */
export function trace(path: string, query: TestQuery): TracedQuery {
  const { type, filter, sortBy, descending = false, select = NOTHING, page = indexPage(0, 10) } = query;
  const steps = answerBeside({
    scope: SCOPE,
    dialect: sqliteDialect,
    indexes: query.indexes ?? emptyView(type),
    query: {
      type,
      filter: filter === undefined ? null : filterOf(type, filter),
      sort: sortBy === undefined ? null : sortOf(type, sortBy, descending),
      page,
      select,
    },
  });
  const { result: value, statements } = traceSteps(path, steps);
  if (value.kind === "page") return { outcome: value.plan, statements };
  return { outcome: value.lookup === null ? "scan" : `filter behind ${value.lookup.name}`, statements };
}

/** Runs steps that only read on a database file: their result, and the statements on the way. */
export function traceSteps<Result>(
  path: string,
  steps: Steps<Result>,
): { readonly result: Result; readonly statements: readonly TracedStatement[] } {
  const database = new DatabaseSync(path, { readOnly: true });
  const statements: TracedStatement[] = [];
  let step = steps.next(NO_ANSWER);
  while (step.done !== true) {
    if (typeof step.value === "symbol" || isBatch(step.value))
      throw new TypeError("A read neither pauses nor writes");
    const answer = run(database, step.value);
    statements.push({ ...explain(database, step.value), rows: answer.rows.length });
    step = steps.next(answer);
  }
  database.close();
  return { result: step.value, statements };
}

function run(database: DatabaseSync, { text, params }: Sql): Answer {
  return { rows: database.prepare(text).all(...params), changes: 0 };
}

function explain(database: DatabaseSync, { text, params }: Sql): Omit<TracedStatement, "rows"> {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...params);
  return {
    text: text.replaceAll(/\s+/g, " "),
    params,
    plan: plan.map(({ detail }) => String(detail)),
  };
}
