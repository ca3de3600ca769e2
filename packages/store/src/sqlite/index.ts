/**
 * `@scim/store/sqlite`: resources and tokens in an SQLite file. This file is the whole public surface.
 * @module
 */
export { StoreError, type StoreErrorCode } from "../errors.ts";
export type { Migration } from "../migrations.ts";
export { readMigrations } from "./migrations.ts";
export type { Store } from "../store.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./open-store.ts";
