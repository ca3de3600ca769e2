/**
 * The texts of the statements that stores run, on whatever database.
 * @module
 */
import { onTestFinished, vi } from "vitest";
import { PostgresConnection } from "../../src/postgres/connection.ts";
import { SqliteConnection } from "../../src/sqlite/connection.ts";

/**
 * Records from now on until the test ends, on the thread of the requests. On PostgreSQL an empty text stands where
 * an answer is waited for.
 */
export function sentTexts(): string[] {
  const texts: string[] = [];
  const onFile = SqliteConnection.prototype.run;
  const onServer = PostgresConnection.prototype.run;
  const spies = [
    vi.spyOn(SqliteConnection.prototype, "run").mockImplementation(function run(
      this: SqliteConnection,
      sent,
    ) {
      texts.push(sent.text);
      return onFile.call(this, sent);
    }),
    vi.spyOn(PostgresConnection.prototype, "run").mockImplementation(function run(
      this: PostgresConnection,
      sent,
      signal,
    ) {
      texts.push(...sent.map(({ text }) => text), "");
      return onServer.call(this, sent, signal);
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return texts;
}
