/**
 * `@scim/store/sqlite`: resources and tokens in an SQLite file. This file is the whole public surface.
 * @module
 */
export { StoreError, type StoreErrorCode } from "../errors.ts";
export type { Migration } from "../migrations.ts";
export type { PlannedMigration, PlannedStep } from "../migration-plan.ts";
export { readMigrations } from "./migrations.ts";
export { migrateSqlite, planSqliteMigrations, type SqliteMigrationOptions } from "./plan.ts";
export type { DeclaredIndex, IndexName, IndexOrigin } from "../indexes/declared-index.ts";
export type { IndexKeeping, StoreIndexes } from "../indexes/keeper.ts";
export type { IndexState } from "../indexes/view.ts";
export type { Store } from "../store.ts";
export type { SecretStore } from "../secrets/secret-store.ts";
export type { DerivedRows } from "../derived/derived-rows.ts";
export type { DerivedFinding, DerivedPage } from "../derived/finding.ts";
export type { CommitListener, StoreLoad } from "../load.ts";
export type { WaitingEvents } from "../events/waiting-events.ts";
export type { ReceiverBacklog } from "../receivers/backlogs.ts";
export { checkSqlitePages, type CheckedPages } from "./check-pages.ts";
export { backUpSqlite, type Backup, type ResourceCount } from "./backup.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./open-store.ts";
export type { ReaderLimits } from "./reader-pool.ts";
export type { ScanLimits } from "../query/scan-turns.ts";
