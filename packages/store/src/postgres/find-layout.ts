/**
 * Finds out how the tables of a database are laid out.
 * @module
 */
import type { Client } from "pg";
import { StoreError } from "../errors.ts";
import { TOLD_BY, type TableLayout } from "./layout.ts";

/** The layout of a database; null where it has no tables yet. */
async function findLayout(client: Client): Promise<TableLayout | null> {
  const { rows } = await client.query<{ kind: string; partitions: string }>({
    text: `SELECT c.relkind AS kind, (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = c.oid) AS partitions
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND c.relname = $1`,
    values: [TOLD_BY],
  });
  const [table] = rows;
  if (table === undefined) return null;
  if (table.kind === "p") return { kind: "partitions", count: Number(table.partitions) };
  return (await isDistributed(client)) ? { kind: "citus" } : { kind: "whole" };
}

async function isDistributed(client: Client): Promise<boolean> {
  if (!(await hasCitus(client))) return false;
  const { rows } = await client.query({
    text: "SELECT 1 FROM pg_dist_partition WHERE logicalrelid = to_regclass($1)",
    values: [TOLD_BY],
  });
  return rows.length > 0;
}

async function hasCitus(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
  return rows.length > 0;
}

/**
 * The layout that migrations keep to: the one that the database has, else the one that is wanted.
 * @throws StoreError `databaseUnusable` where the two differ, or Citus is wanted and missing
 */
export async function settleLayout(client: Client, wanted: TableLayout | null): Promise<TableLayout> {
  const found = await findLayout(client);
  if (wanted === null) return found ?? { kind: "whole" };
  if (found !== null && !isSame(found, wanted)) {
    throw new StoreError(
      "databaseUnusable",
      `The tables are laid out as ${layoutName(found)} already; lay out a new database as ${layoutName(wanted)}, and move to it with: scim migrate --to`,
    );
  }
  if (wanted.kind === "citus" && !(await hasCitus(client))) {
    throw new StoreError(
      "databaseUnusable",
      "The database lacks the extension citus; make it with: CREATE EXTENSION citus",
    );
  }
  return wanted;
}

function isSame(left: TableLayout, right: TableLayout): boolean {
  return layoutName(left) === layoutName(right);
}

/** A layout in words. */
function layoutName(layout: TableLayout): string {
  if (layout.kind === "partitions") return `${layout.count} partitions`;
  return layout.kind === "citus" ? "distributed tables" : "whole tables";
}
