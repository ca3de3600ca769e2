/**
 * Looks for what is left of a person: in every table of a database, in files, and in what a server logged.
 * @module
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TestDatabase } from "../over-http/engines.ts";

/** What every text of the person has in it, in one letter case, so that comparison keys have it too. */
export const MARK = "zqperson";

/** The tables in which a text is found, by name. */
export async function tablesWith(database: TestDatabase, text: string): Promise<readonly string[]> {
  const isSqlite = database.environment["SCIM_DATABASE_URL"]?.startsWith("sqlite:") === true;
  const tables = await database.query(
    isSqlite
      ? "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
      : "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`SELECT * FROM ${String(name)}`);
    const values = rows.flatMap((row) => Object.values(row));
    if (values.some((value) => shown(value).toLowerCase().includes(text))) found.push(String(name));
  }
  return found;
}

function shown(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value);
}

/** The files of a folder, and of those below it, in which a text is found. */
export function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).toString("latin1").toLowerCase().includes(text);
  });
}
