/**
 * Every statement that stores send to PostgreSQL while the tests of a file run.
 * @module
 */
import { afterAll, beforeAll, vi } from "vitest";
import { PostgresConnection } from "../../src/postgres/connection.ts";
import type { Sql } from "../../src/sql.ts";

/** What was sent, and on what. */
export interface RecordedStatements {
  /** Each text once, with the parameters of its last use. */
  readonly statements: ReadonlyMap<string, Sql>;
  readonly connections: ReadonlySet<PostgresConnection>;
}

/** Records from the first test of a file to its last; `each` sees every statement with its parameters. */
export function recordStatements(each: (statement: Sql) => void = () => undefined): RecordedStatements {
  const statements = new Map<string, Sql>();
  const connections = new Set<PostgresConnection>();
  beforeAll(() => {
    // It is called with the connection that it belongs to.
    // oxlint-disable-next-line typescript/unbound-method
    const run = PostgresConnection.prototype.run;
    const spy = vi.spyOn(PostgresConnection.prototype, "run");
    spy.mockImplementation(function record(this: PostgresConnection, sent, signal) {
      connections.add(this);
      for (const statement of sent) {
        statements.set(statement.text, statement);
        each(statement);
      }
      return run.call(this, sent, signal);
    });
    return () => spy.mockRestore();
  });
  afterAll(() => statements.clear());
  return { statements, connections };
}
