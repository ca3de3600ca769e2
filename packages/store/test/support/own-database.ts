/**
 * A database of PostgreSQL for the tests of one file alone, with a connection that gives what columns hold as texts and numbers.
 * @module
 */
import { dropDatabase, newDatabase } from "@scim/fixtures/postgres";
import { Client, types } from "pg";
import { inject } from "vitest";
import { migratePostgres } from "../../src/postgres/index.ts";

const NUMBERS: ReadonlySet<number> = new Set([
  types.builtins.INT4,
  types.builtins.INT8,
  types.builtins.NUMERIC,
]);

/** A database with the present schema, and a connection to it. */
export interface OwnDatabase {
  readonly client: Client;
  /** Closes the connection, and drops the database. */
  readonly drop: () => Promise<void>;
}

/** Makes a database with the present schema. */
export async function ownDatabase(): Promise<OwnDatabase> {
  const url = await newDatabase(inject("postgresUrl"));
  await migratePostgres({ url });
  const client = new Client({
    connectionString: url,
    types: { getTypeParser: (oid: number) => (NUMBERS.has(oid) ? Number : String) },
  });
  await client.connect();
  return {
    client,
    drop: async () => {
      await client.end();
      await dropDatabase(url);
    },
  };
}
