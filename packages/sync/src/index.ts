/**
 * `@scim/sync`: keeps a SCIM service in step with sources, acts as identity providers, and writes typed source of a
 * service. This file is the whole public surface, beside `@scim/sync/records`.
 * @module
 */
export { LimitError, planSync, type ApplyPlanOptions, type PlannedSync, type SyncOptions } from "./sync.ts";
export type { ApplyReport, StepFailure } from "./apply/report.ts";
export { detectDrift, type Drift, type DriftOptions, type DriftReport } from "./drift/detect-drift.ts";
export type { DriftedReference, DriftedReferences, ReferenceDrift } from "./drift/reference-drift.ts";
export type { ChangeLimit, ChangeLimits, LeaverAction, Mapping } from "./mapping/document.ts";
export { MappingError, type MappingFault } from "./mapping/mapping-error.ts";
export { readMapping } from "./mapping/read-mapping.ts";
export type { RecordFault } from "./plan/desired.ts";
export type { KeptAttribute } from "./plan/kept-values.ts";
export type {
  AttributeChange,
  CreateStep,
  LeaveStep,
  Plan,
  PlanCounts,
  PlanStep,
  PlanSteps,
  Reading,
  ReferencesStep,
  UpdateStep,
} from "./plan/plan.ts";
export { isEmptyPlan } from "./plan/plan.ts";
export type { FileFormat } from "./records/file-format.ts";
export { fileSource, type FileSourceOptions } from "./sources/file-source.ts";
export { scimSource, type ScimSourceOptions } from "./sources/scim-source.ts";
export { postgresSource, type PostgresSourceOptions, sqliteSource } from "./sources/sql-source.ts";
export {
  SourceError,
  type Source,
  type SourceItem,
  type SourceReading,
  type SourceRecord,
  type UnreadableRecord,
} from "./sources/source.ts";
export { TemporaryFileError } from "./spill/temporary-file-error.ts";
export { StateError, type StateErrorCode } from "./state/state-error.ts";
export type { KeptValue, KnownResource } from "./state/known-resource.ts";
export type { FinishedRun } from "./state/finished-run.ts";
export { SyncState } from "./state/sync-state.ts";

export { generateSource, type GeneratedSource } from "./generate/generate-source.ts";

export { IDENTITY_PROVIDERS, type IdentityProviderName } from "./simulate/identity-providers.ts";
export type { Finding, SimulationReport, StepOutcome, StepReport } from "./simulate/report.ts";
export {
  PHASES,
  type Check,
  type Evidence,
  type PathSegment,
  type Phase,
  type Scenario,
  type Step,
  type Test,
  type Trouble,
  type Weight,
} from "./simulate/scenario.ts";
export { simulate, type SimulateOptions } from "./simulate/simulate.ts";
