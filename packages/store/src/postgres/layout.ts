/**
 * How the tables of a database are laid out: whole, in partitions by hash of the tenant, or over the nodes of Citus
 * by tenant. The statements of the service are the same for all.
 * @module
 */
import { statementsOf } from "../migration-plan.ts";

/** A layout. It is chosen when a database is made, and every later migration keeps to it. */
export type TableLayout =
  /** Each table whole. */
  | { readonly kind: "whole" }
  /** Each table in so many partitions, by hash of the tenant: 2 to 1024. */
  | { readonly kind: "partitions"; readonly count: number }
  /** Each table distributed by tenant over the nodes of Citus, all of a tenant on one node. */
  | { readonly kind: "citus" };

/** The table whose layout tells that of all. */
export const TOLD_BY = "resources";

/** The table of the first migration that all others are placed with. */
const PLACED_FIRST = "tenants";

/** What a migration tells a table that is there. */
const SET_TABLE = /^ALTER TABLE (?<table>\w+) (?<told>SET \([^)]*\));/gm;

const CREATE_TABLE = /^CREATE TABLE (?<table>\w+) \((?<columns>[\s\S]*?)^\)(?<storage>[^;]*);/gm;

/**
 * The text of a migration for a layout. A table without tenant stays as it is; one whose storage is set has a tenant.
 * @param text with each `CREATE TABLE` and the `)` of its end at the beginning of a line
 */
export function laidOut(text: string, layout: TableLayout): string {
  if (layout.kind === "whole") return text;
  if (layout.kind === "citus") return `${text}\n${distributing(text).join("\n")}\n`;
  const { count } = layout;
  return tablesOf(text)
    .reduce((laid, table) => laid.replace(table.whole, () => partitioned(table, count)), text)
    .replaceAll(SET_TABLE, (_whole, table: string, told: string) =>
      Array.from({ length: count }, (_, at) => `ALTER TABLE ${table}_p${at} ${told};`).join("\n"),
    );
}

/**
 * The `max_locks_per_transaction` that so many partitions ask for where PostgreSQL has its usual 100 sessions: whoever makes
 * them holds a lock on each part of each table and index, and a statement over all tenants on each part of its own.
 */
export function locksFor(partitions: number): number {
  return 2 * partitions;
}

/**
 * What is sent to apply a migration to a layout, one after another. Citus passes the whole text on in which it finds a
 * statement about a distributed table, and its nodes take one statement at a time.
 */
export function queriesOf(text: string, layout: TableLayout): readonly string[] {
  const laid = laidOut(text, layout);
  return layout.kind === "citus" ? statementsOf(laid) : [laid];
}

/** The statements that give the new tables of a migration to the nodes of Citus. */
export function distributing(text: string): readonly string[] {
  return tablesOf(text).map(({ table }) => distribute(table));
}

/** All rows of a tenant lie on one node. */
function distribute(table: string): string {
  const together = table === PLACED_FIRST ? "none" : PLACED_FIRST;
  return `SELECT create_distributed_table('${table}', 'tenant', colocate_with => '${together}');`;
}

/** A statement that makes a table, and its parts. */
interface TableText {
  readonly whole: string;
  readonly table: string;
  readonly columns: string;
  readonly storage: string;
}

/** Storage parameters belong to the partitions: the table itself holds nothing. */
function partitioned({ table, columns, storage }: TableText, count: number): string {
  const parent = `CREATE TABLE ${table} (${columns}) PARTITION BY HASH (tenant);`;
  const partitions = Array.from(
    { length: count },
    (_, at) =>
      `CREATE TABLE ${table}_p${at} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${count}, REMAINDER ${at})${storage};`,
  );
  return [parent, ...partitions].join("\n");
}

/** The tables with a tenant that a migration makes. */
function tablesOf(text: string): readonly TableText[] {
  return [...text.matchAll(CREATE_TABLE)]
    .map(({ 0: whole, groups }) => ({
      whole,
      table: groups?.["table"] ?? "",
      columns: groups?.["columns"] ?? "",
      storage: groups?.["storage"] ?? "",
    }))
    .filter(({ columns }) => /^\s*tenant\s/m.test(columns));
}
