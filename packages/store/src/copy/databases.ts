/**
 * What lies beneath an open store, for what goes beyond single resources.
 * @module
 */
import type { Dialect } from "../dialect.ts";
import type { Sql } from "../sql.ts";
import type { Executor, Outcome, Steps } from "../steps.ts";
import type { Store } from "../store.ts";

/** A database with its words. */
export interface Database {
  readonly executor: Executor;
  readonly dialect: Dialect;
}

const databases = new WeakMap<Store, Database>();

/** Remembers what lies beneath a store, and gives the store back. */
export function over(database: Database, store: Store): Store {
  databases.set(store, database);
  return store;
}

/** What lies beneath a store that this package has opened. */
export function beneath(store: Store): Database {
  const database = databases.get(store);
  if (database === undefined) throw new TypeError("The store was not opened by this package");
  return database;
}

/** Runs statements in one transaction. */
export function write({ executor }: Database, statements: readonly Sql[]): Promise<void> {
  return executor.write(function* run(): Steps<Outcome<void>> {
    for (const statement of statements) yield statement;
    return { keep: true, result: undefined };
  });
}
