/**
 * How much the plans of PostgreSQL look at: told by what it counts, not by time.
 * @module
 */
import { type Client, escapeLiteral, type QueryResult } from "pg";
import { wireStatement, type WireValue } from "../../src/postgres/wire-statement.ts";
import type { Sql } from "../../src/sql.ts";
import { type Executor, NO_ANSWER, PAUSE, type Row, type Steps } from "../../src/steps.ts";
import { ownTransaction } from "../../src/postgres/transaction.ts";

/** A step of a plan, as far as it is looked at. */
interface PlanNode {
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The most rows that one step of a plan came by, in all its loops. */
function workOf(node: PlanNode): number {
  const { "Actual Rows": rows = 0, "Actual Loops": loops = 0 } = node;
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
  return Math.max((rows + removed) * loops, ...(node.Plans ?? []).map(workOf));
}

/** Runs steps on a connection, each statement by itself. */
export interface MeasuringExecutor extends Pick<Executor, "read" | "write"> {
  /** Statements whose plan came by more rows than a bound: with its values, or as it is prepared for any. */
  readonly heavy: readonly string[];
}

/** What runs steps and looks at the plan of each statement. */
export function measuringExecutor(client: Client, mostRows: number): MeasuringExecutor {
  const heavy: string[] = [];

  async function measure(statement: Sql): Promise<void> {
    const { text, values } = wireStatement(statement);
    for (const mode of ["custom", "generic"]) {
      await client.query(
        `BEGIN; SET LOCAL plan_cache_mode = force_${mode}_plan; PREPARE measured AS ${text}`,
      );
      const list = values.length === 0 ? "" : `(${values.map(literalOf).join(", ")})`;
      const { rows }: QueryResult<Row> = await client.query(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE measured${list}`,
      );
      await client.query("ROLLBACK; DEALLOCATE measured");
      // The server states its plans in this form.
      const [{ Plan: plan }] = JSON.parse(String(rows[0]?.["QUERY PLAN"])) as [{ Plan: PlanNode }];
      const work = workOf(plan);
      if (work > mostRows) heavy.push(`${work} rows, ${mode}: ${text.replaceAll(/\s+/g, " ")}`);
    }
  }

  async function run<Result>(steps: Steps<Result>): Promise<Result> {
    let step = steps.next(NO_ANSWER);
    while (step.done !== true) {
      let answer = NO_ANSWER;
      const statements =
        step.value === PAUSE
          ? []
          : "batch" in step.value
            ? step.value.batch.map((each) => each.statement)
            : [step.value];
      for (const statement of statements) {
        await measure(statement);
        const { text, values } = wireStatement(statement);
        const { rows, rowCount, command }: QueryResult<Row> = await client.query(text, [...values]);
        answer = { rows, changes: command === "SELECT" ? 0 : (rowCount ?? 0) };
      }
      step = steps.next(answer);
    }
    return step.value;
  }

  return {
    heavy,
    read: run,
    write: async (makeSteps) => (await run(makeSteps(ownTransaction(null)))).result,
  };
}

function literalOf(value: WireValue): string {
  if (value === null) return "NULL";
  return typeof value === "string" ? escapeLiteral(value) : `'\\x${value.toString("hex")}'`;
}
