/**
 * Runs steps on one connection, one write after another, and notes the statements: for tests that ask how something is
 * done, or what becomes of it half-way.
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { onTestFinished } from "vitest";
import { wireStatement } from "../../src/postgres/wire-statement.ts";
import type { Sql } from "../../src/sql.ts";
import {
  type Answer,
  type Executor,
  NO_ANSWER,
  type Outcome,
  PAUSE,
  type Row,
  type Steps,
  type WriteTransaction,
} from "../../src/steps.ts";

/** A connection, and what was run on it. */
export interface PlainExecutor extends Pick<Executor, "read" | "write"> {
  readonly statements: Sql[];
  /** How often others might have gone first. */
  readonly pauses: () => number;
  /** Runs a statement beside the steps. */
  run(statement: Sql): Promise<Answer>;
  /** How the database goes about a statement: the lines of its plan. */
  explain(statement: Sql): Promise<readonly string[]>;
}

/** On a file of SQLite that has its schema. */
export function plainSqlite(path: string): PlainExecutor {
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  return plain({
    run: async ({ text, params }) => {
      const statement = database.prepare(text);
      if (statement.columns().length > 0) return { rows: statement.all(...params), changes: 0 };
      return { rows: [], changes: Number(statement.run(...params).changes) };
    },
    explain: async ({ text, params }) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all(...params)
        .map(({ detail }) => String(detail)),
  });
}

/** On a database of PostgreSQL that has its schema. */
export async function plainPostgres(url: string): Promise<PlainExecutor> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  // Counts come as text.
  client.setTypeParser(pg.types.builtins.INT8, Number);
  const query = async (statement: Sql, prefix = ""): Promise<pg.QueryResult<Row>> => {
    const { text, values } = wireStatement(statement);
    return client.query<Row>(`${prefix}${text}`, [...values]);
  };
  return plain({
    run: async (statement) => {
      const { rows, rowCount, command } = await query(statement);
      return { rows, changes: command === "SELECT" ? 0 : (rowCount ?? 0) };
    },
    explain: async (statement) => {
      const { rows } = await query(statement, "EXPLAIN ");
      return rows.map((row) => String(row["QUERY PLAN"]).trim());
    },
  });
}

function plain({ run, explain }: Pick<PlainExecutor, "run" | "explain">): PlainExecutor {
  const statements: Sql[] = [];
  let pauses = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function runAll<Result>(steps: Steps<Result>): Promise<Result> {
    let step = steps.next(NO_ANSWER);
    while (step.done !== true) {
      if (step.value === PAUSE) {
        pauses += 1;
        step = steps.next(NO_ANSWER);
        continue;
      }
      if ("batch" in step.value) throw new TypeError("No statement");
      statements.push(step.value);
      step = steps.next(await run(step.value));
    }
    return step.value;
  }

  async function inTransaction<Result>(steps: Steps<Outcome<Result>>): Promise<Result> {
    await run({ text: "BEGIN", params: [] });
    try {
      const { keep, result } = await runAll(steps);
      await run({ text: keep ? "COMMIT" : "ROLLBACK", params: [] });
      return result;
    } catch (error) {
      await run({ text: "ROLLBACK", params: [] });
      throw error;
    }
  }

  async function write<Result>(
    makeSteps: (transaction: WriteTransaction) => Steps<Outcome<Result>>,
  ): Promise<Result> {
    const turn = last.then(() => inTransaction(makeSteps(NO_EVENTS)));
    last = turn.catch(() => undefined);
    return turn;
  }

  return { statements, pauses: () => pauses, run, explain, read: runAll, write };
}

/** For writes that tell of no event. */
export const NO_EVENTS: WriteTransaction = {
  number: () => {
    throw new TypeError("No event is told here");
  },
  nextSequence: () => 0,
  keepFresh: () => undefined,
  count: () => [],
};
