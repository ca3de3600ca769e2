/**
 * Moves everything that a store holds to another, whatever databases they are: ids, versions, instants, references
 * with their places, events with their positions, tokens. Clients notice nothing but the pause.
 * @module
 */
import { setTimeout as delay } from "node:timers/promises";
import { ALL_CONSTRAINTS, connectionRule } from "@scim/core";
import { StoreError } from "../errors.ts";
import { MOVE_UNDER_WAY, moveUnderWay } from "../migrations.ts";
import { type Sql, sql } from "../sql.ts";
import { countOf, type Outcome, type Steps } from "../steps.ts";
import type { Store } from "../store.ts";
import { type Checksum, checksumsOf } from "./checksums.ts";
import { copyTenant, readTenants } from "./copy-tenant.ts";
import { beneath, type Database, write } from "./databases.ts";
import { MUST_BE_EMPTY } from "./tables.ts";

/** What is told while a copy is under way. */
export interface CopyOptions {
  /** Called now and then with the rows that were written so far. */
  readonly onProgress?: (rows: number) => void;
}

/** What each side holds after a copy. */
export interface CopyResult {
  readonly source: readonly Checksum[];
  readonly target: readonly Checksum[];
  /** Whether they are equal. Where not, the source was written to meanwhile, and the target must not be used. */
  readonly equal: boolean;
}

/**
 * Copies a store into an empty one, and compares what both hold. Nobody may write to either meanwhile. Until both are found
 * to be equal, no program opens the target again.
 *
 * @example
 * const { equal } = await copyStore(sqlite, postgres);
 * @throws StoreError `databaseUnusable` where the target holds something or is moved to already, or writes to the source are under way
 */
export async function copyStore(from: Store, to: Store, options: CopyOptions = {}): Promise<CopyResult> {
  const [source, target] = [beneath(from), beneath(to)];
  await refuseFilled(target);
  // Another may have begun one since the target was opened.
  if (!(await target.executor.write(beginMove))) throw moveUnderWay();
  try {
    await settleEvents(from, source);
  } catch (error) {
    // Nothing was copied: the target is as good as before.
    await write(target, [endMove()]);
    throw error;
  }
  const tenants = await source.executor.read(readTenants());
  let written = 0;
  for (const tenant of tenants) {
    for await (const rows of copyTenant({ source, target }, tenant)) {
      written += rows;
      options.onProgress?.(written);
    }
    await copyRules({ from, to }, tenant.name);
  }
  const names = tenants.map(({ name }) => name);
  const [before, after] = [await allChecksums(source, names), await allChecksums(target, names)];
  const equal = JSON.stringify(before) === JSON.stringify(after);
  if (equal) await write(target, [endMove()]);
  return { source: before, target: after, equal };
}

function* beginMove(): Steps<Outcome<boolean>> {
  const { number, name, checksum, oldestWriter } = MOVE_UNDER_WAY;
  const { changes } = yield sql`INSERT INTO migrations (number, name, checksum, oldest_writer, applied)
    VALUES (${number}, ${name}, ${checksum}, ${oldestWriter}, ${new Date().toISOString()}) ON CONFLICT DO NOTHING`;
  return { keep: changes > 0, result: changes > 0 };
}

function endMove(): Sql {
  return sql`DELETE FROM migrations WHERE number = ${MOVE_UNDER_WAY.number}`;
}

async function allChecksums(database: Database, tenants: readonly string[]): Promise<readonly Checksum[]> {
  const all: Checksum[] = [];
  for (const tenant of tenants) all.push(...(await checksumsOf(database, tenant)));
  return all;
}

async function refuseFilled({ executor }: Database): Promise<void> {
  for (const table of MUST_BE_EMPTY) {
    const rows = await executor.read(countRows(table));
    if (rows > 0)
      throw new StoreError(
        "databaseUnusable",
        `The database to move to is not empty: ${table} has rows. Name another; or make it anew where it holds nothing but a move that did not come to its end`,
      );
  }
}

function* countRows(table: string): Steps<number> {
  return countOf(
    yield { text: `SELECT count(*) AS n FROM (SELECT 1 AS one FROM ${table} LIMIT 1) t`, params: [] },
    "n",
  );
}

/** How often, and with how many milliseconds between, positions are waited for: five seconds. */
const TRIES = 100;
const PAUSE_MS = 50;

/**
 * Every event has its position: by it alone it is the same in another database. PostgreSQL gives none while an earlier
 * transaction is under way in any database beside it, which is not for long.
 */
async function settleEvents(from: Store, { executor }: Database): Promise<void> {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    while ((await from.events.assign(1000)) > 0);
    if ((await executor.read(countWaiting())) === 0) return;
    await delay(PAUSE_MS);
  }
  throw new StoreError(
    "databaseUnusable",
    "Events of the database to move wait for transactions that are under way there, or in another database of its server: stop every server, and move again when those have ended",
  );
}

function* countWaiting(): Steps<number> {
  return countOf(yield sql`SELECT count(*) AS n FROM events WHERE position IS NULL`, "n");
}

/**
 * Holds the rules that are held for connections: the values come with their resources. One that somebody has begun and not
 * come to the end of is begun anew by whoever wants it.
 */
async function copyRules(
  { from, to }: { readonly from: Store; readonly to: Store },
  tenant: string,
): Promise<void> {
  for (const { connection } of await from.connections.list(tenant)) {
    for (const constraint of ALL_CONSTRAINTS) {
      const rule = connectionRule(constraint, { tenant, connection });
      const state = await from.resources.rules?.state(rule);
      if (state?.complete !== true) continue;
      await to.resources.rules?.begin(rule, state.token);
      await to.resources.rules?.complete(rule, state.token);
    }
  }
}
