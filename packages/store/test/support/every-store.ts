/**
 * A store of each kind, empty: for tests that ask all of them the same.
 * @module
 */
import type { ResourceStore } from "@scim/core";
import { createMemoryStore } from "@scim/core/testing";
import { openPostgresStore } from "../../src/postgres/index.ts";
import { openSqliteStore } from "../../src/sqlite/index.ts";
import { lendDatabase } from "./engines.ts";

/** Stores by what they do. */
export interface EveryStore {
  readonly stores: readonly (readonly [string, ResourceStore])[];
  readonly close: () => Promise<void>;
}

/** Opens them; whoever does so closes them behind the last test. */
export async function openEveryStore(): Promise<EveryStore> {
  const { url, giveBack } = await lendDatabase();
  const [sqlite, inTurns, postgres] = [
    await openSqliteStore({ path: ":memory:" }),
    await openSqliteStore({ path: ":memory:", scans: { inPlace: 0 } }),
    await openPostgresStore({ url }),
  ];
  return {
    stores: [
      ["memory", createMemoryStore()],
      ["SQLite", sqlite.resources],
      ["SQLite with turns", inTurns.resources],
      ["PostgreSQL", postgres.resources],
    ],
    close: async () => {
      await Promise.all([sqlite, inTurns, postgres].map((store) => store.close()));
      await giveBack();
    },
  };
}
