/**
 * What `@scim/client` and `@scim/client/fetch` have in common: everything but the transport of the platform.
 * @module
 */
export type { PlainAnswer, PlainRequest, ScimClient } from "./client.ts";
export type { ClientLimits, ClientOptions } from "./options.ts";
export {
  basicCredentials,
  bearerToken,
  type Credentials,
  type CredentialsContext,
  type TokenEndpoint,
} from "./auth/credentials.ts";
export { clientCredentials, type ClientCredentialsOptions } from "./auth/client-credentials.ts";
export { refreshingToken, type FetchToken, type FreshToken } from "./auth/refreshing-token.ts";
export { watchPlainHttp, type PlainHttp, type SentCredentials } from "./auth/plain-http.ts";
export type { BulkChangeOptions, BulkJob } from "./bulk/bulk-job.ts";
export type { BulkRunOptions } from "./bulk/run.ts";
export type {
  BulkEntry,
  BulkOutcome,
  DoneOperation,
  FailedOperation,
  OperationOutcome,
  UntriedOperation,
} from "./bulk/outcome.ts";
export type { Clock } from "./clock.ts";
export type { BulkLimits, Capabilities, ConfigExtension } from "./discovery/capabilities.ts";
export type { Discovery } from "./discovery/discovery.ts";
export { InvalidAnswerError, type InvalidAnswerCode } from "./errors/answer-error.ts";
export { ClientError, type FailedRequest } from "./errors/client-error.ts";
export { ConnectionError, UnknownOutcomeError, type ConnectionErrorCode } from "./errors/connection-error.ts";
export { CredentialsError } from "./errors/credentials-error.ts";
export { PagingError, type PagingErrorCode } from "./errors/paging-error.ts";
export { isScimClientError, type ScimClientError } from "./errors/scim-client-error.ts";
export { ServiceError, VersionConflictError, type ServiceErrorCode } from "./errors/service-error.ts";
export { UsageError, type UsageErrorCode } from "./errors/usage-error.ts";
export type {
  AnswerEvent,
  ClientEvent,
  FailureEvent,
  RequestEvent,
  RetryEvent,
  ToleranceEvent,
} from "./exchange/events.ts";
export type { ClientSpan, ClientTracer } from "./exchange/tracing.ts";
export { FilterExpression } from "./filter/expression.ts";
export {
  field,
  Field,
  type AnyField,
  type BooleanField,
  type ComplexField,
  type OrderedField,
  type TextField,
} from "./filter/field.ts";
export type { FieldsOf } from "./filter/fields.ts";
export type { RetryOptions } from "./exchange/retry-policy.ts";
export type { Page } from "./pages/page.ts";
export type { ListReport, ResourceList } from "./pages/resource-list.ts";
export type { ListOptions } from "./resources/list-options.ts";
export type {
  CallOptions,
  ChangeOptions,
  FilterInput,
  FilterOf,
  PageOptions,
  Projection,
  QueryOptions,
  ReadOptions,
} from "./resources/options.ts";
export type { DryRuns, ResourceClient } from "./resources/resource-client.ts";
export {
  defineResourceType,
  GROUP,
  USER,
  type ClientResourceType,
  type ResourceTypeOptions,
} from "./resources/resource-type.ts";
export type {
  DynamicResource,
  DynamicShape,
  Extensions,
  Projected,
  ResourceShape,
  ShapeOf,
} from "./resources/shape.ts";
export type { UpdateOptions } from "./resources/update.ts";
export { wholeAttributes } from "./resources/whole.ts";
export { diffResources, type DiffSchemas } from "./patch/diff.ts";
export type { ChosenValues, PatchBuilder, PatchInput } from "./patch/patch-builder.ts";
export type { PathValue } from "./patch/path-value.ts";
export {
  createFetchTransport,
  type FetchAnswer,
  type FetchFunction,
  type FetchRequest,
  type FetchTransportOptions,
} from "./transport/fetch-transport.ts";
export {
  TransportFailure,
  type Transport,
  type TransportAnswer,
  type TransportFailureKind,
  type TransportRequest,
} from "./transport/port.ts";
export { entityTag, isOfOneState, rawVersion } from "./versions/entity-tag.ts";
export type { CacheLimits } from "./versions/resource-cache.ts";
export type { ResourceTarget } from "./versions/version-memory.ts";
