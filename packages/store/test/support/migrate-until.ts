/**
 * A process that migrates a database and is killed when it comes to one of the migrations: those before it are applied by
 * then, in a transaction that is not kept.
 * It loads nothing but migrations: it is started often.
 * Arguments: the address of the database, the number of the migration.
 * @module
 */
import type { Migration } from "../../src/migrations.ts";
import { migratePostgres } from "../../src/postgres/migrate.ts";
import { readMigrations as ofPostgres } from "../../src/postgres/migrations.ts";
import { readMigrations as ofSqlite } from "../../src/sqlite/migrations.ts";
import { migrateSqlite } from "../../src/sqlite/plan.ts";

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
