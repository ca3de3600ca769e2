/**
 * The texts of the statements that stores run, on whatever database.
 * @module
 */
import { onTestFinished, vi } from "vitest";
import { PostgresConnection } from "../../src/postgres/connection.ts";
import { SqliteConnection } from "../../src/sqlite/connection.ts";

/** What a test records. */
export interface SentTexts {
  /** The texts so far, of the thread of the requests. On PostgreSQL an empty one stands where an answer is awaited. */
  readonly texts: () => readonly string[];
  readonly forget: () => void;
}

/** Records until the test ends. */
export function sentTexts(): SentTexts {
  const onFile = vi.spyOn(SqliteConnection.prototype, "run");
  const onServer = vi.spyOn(PostgresConnection.prototype, "run");
  onTestFinished(() => {
    onFile.mockRestore();
    onServer.mockRestore();
  });
  return {
    texts: () => [
      ...onFile.mock.calls.map(([{ text }]) => text),
      ...onServer.mock.calls.flatMap(([sent]) => [...sent.map(({ text }) => text), ""]),
    ],
    forget: () => {
      onFile.mockClear();
      onServer.mockClear();
    },
  };
}
