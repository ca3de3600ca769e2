/**
 * `@scim/store/postgres`: resources and tokens in a PostgreSQL database. This file is the whole public surface.
 * @module
 */
export { StoreError, type StoreErrorCode } from "../errors.ts";
export type { Migration } from "../migrations.ts";
export { migratePostgres, type MigrationTarget, pendingMigrations } from "./migrate.ts";
export type { PlannedMigration, PlannedStep } from "../migration-plan.ts";
export type { TableLayout } from "./layout.ts";
export { readMigrations } from "./migrations.ts";
export { layoutStatements, planPostgresMigrations } from "./plan.ts";
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
export { openPostgresStore, type PostgresStoreOptions } from "./open-store.ts";
