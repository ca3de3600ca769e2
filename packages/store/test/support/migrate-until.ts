/**
 * A process that migrates a database and is killed when it comes to one of the migrations: those before it are applied by
 * then, in a transaction that is not kept.
 * Arguments: the address of the database, the number of the migration.
 * @module
 */
import { migratePostgres, readMigrations as ofPostgres } from "../../src/postgres/index.ts";
import { migrateSqlite, readMigrations as ofSqlite } from "../../src/sqlite/index.ts";
import type { Migration } from "../../src/migrations.ts";

const [address = "", last = ""] = process.argv.slice(2);

function deadly(migration: Migration): Migration {
  if (migration.number !== Number(last)) return migration;
  return {
    ...migration,
    get text(): string {
      process.kill(process.pid, "SIGKILL");
      return migration.text;
    },
  };
}

if (address.startsWith("postgres:"))
  await migratePostgres({ url: address, migrations: ofPostgres().map(deadly) });
else await migrateSqlite({ path: address, migrations: ofSqlite().map(deadly) });
