import { sampleClient, sampleTrust } from "@scim/tenancy/testing";
import { expect, test } from "vitest";
import type { Dialect } from "../src/dialect.ts";
import { postgresDialect } from "../src/postgres/dialect.ts";
import { sql } from "../src/sql.ts";
import { sqliteDialect } from "../src/sqlite/dialect.ts";
import { createClientStore } from "../src/tenancy/client-store.ts";
import { emptyDatabase } from "./support/engines.ts";
import { newFile, open } from "./support/folders.ts";
import { plainPostgres, plainSqlite, type PlainExecutor } from "./support/plain-executor.ts";

interface Plain {
  readonly executor: PlainExecutor;
  readonly dialect: Dialect;
}

test.each<[string, () => Promise<Plain>]>([
  [
    "SQLite",
    async () => {
      const path = newFile();
      await (await open(path)).close();
      return { executor: plainSqlite(path), dialect: sqliteDialect };
    },
  ],
  [
    "PostgreSQL",
    async () => ({ executor: await plainPostgres(await emptyDatabase()), dialect: postgresDialect }),
  ],
])(
  "a trust that an earlier release left of a client that is gone keeps no other out on %s",
  async (_, make) => {
    const { executor, dialect } = await make();
    const clients = createClientStore(executor, dialect);
    const trust = sampleTrust("t1", { purpose: "access-token" });
    for (const id of ["c1", "c2"]) await clients.addClient(sampleClient(id));
    expect(await clients.addTrust(trust)).toBe(true);
    expect(await clients.addTrust({ ...trust, client: "c2" })).toBe(false);
    await executor.run(sql`DELETE FROM oauth_clients WHERE id = 'c1'`);
    expect(await clients.addTrust({ ...trust, client: "c2" })).toBe(true);
    expect(await clients.listTrusts({ tenant: "north", id: "c1" })).toEqual([]);
  },
);
