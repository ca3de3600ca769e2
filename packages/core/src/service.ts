/**
 * The service: the operations that HTTP, tools and command line call. No word of HTTP in here.
 * @module
 */
import type { ResourceOperation } from "@scim/schemas";
import type {
  ResourceAnswer,
  NotModifiedAnswer,
  NoContentAnswer,
  ListAnswer,
  BulkAnswer,
  DryRunAnswer,
} from "./answers.ts";
import type { RequestContext } from "./context.ts";
import type { DiagnosticsAnswer, DiagnosticsRequest } from "./diagnostics/report.ts";
import type {
  ConfigRequest,
  CreateRequest,
  OpenLongBody,
  ReadRequest,
  ReplaceRequest,
  PatchRequest,
  DeleteRequest,
  ListRequest,
  BulkRequest,
  ChangeRequest,
} from "./requests.ts";
import type { Precondition } from "./versioning/precondition.ts";

/** The resource that a caller is. */
export interface Identity {
  /** Name of the resource type. */
  readonly type: string;
  readonly id: string;
}

/** A resource type as routes need it. */
export interface ServedType {
  readonly name: string;
  /** Such as `/Users`. */
  readonly endpoint: string;
  readonly operations: ReadonlySet<ResourceOperation>;
  /** Whether bodies may hold whole reference collections, and so be large. */
  readonly hasCollections: boolean;
}

/** The operations of a SCIM service provider. All throw `ScimError`. */
export interface ScimService {
  /** The resource types of a tenant, in the order of their registration. */
  types(context: RequestContext): readonly ServedType[];
  /**
   * What opens a place for the values of the reference collections of a body for POST or PUT, which is read some at a
   * time on another thread; null where bodies of the type have to be held in memory. What was opened must be closed. It
   * throws a ScimError `unavailable` where as many are open as the store can have.
   */
  longBody(context: RequestContext, type: string): OpenLongBody | null;
  create(context: RequestContext, request: CreateRequest): Promise<ResourceAnswer>;
  read(context: RequestContext, request: ReadRequest): Promise<ResourceAnswer | NotModifiedAnswer>;
  replace(context: RequestContext, request: ReplaceRequest): Promise<ResourceAnswer>;
  patch(context: RequestContext, request: PatchRequest): Promise<ResourceAnswer | NoContentAnswer>;
  delete(context: RequestContext, request: DeleteRequest): Promise<void>;
  list(context: RequestContext, request: ListRequest): Promise<ListAnswer>;
  /**
   * Does many operations, each by itself as atomic as a single request (RFC 7644 §3.7). References `bulkId:<name>`
   * are resolved forwards and in circles; what fails is told of its operation, and nothing else is undone.
   * @throws ScimError `invalidSyntax`, `invalidValue` or `payloadTooLarge` for the job as a whole
   */
  bulk(context: RequestContext, request: BulkRequest): Promise<BulkAnswer>;
  /** Tells what a change would come to, versions and uniqueness included, and writes nothing. */
  dryRun(context: RequestContext, change: ChangeRequest): Promise<DryRunAnswer>;
  /**
   * Tells which references of the tenant name nothing, and which hold together badly: it reports, and enforces nothing.
   * A whole report holds one state of the store until it is closed.
   * @throws ScimError `unavailable` where as many long reads are open as the store can have; `invalidCursor`,
   *   `expiredCursor`, `invalidCount`
   */
  diagnose(context: RequestContext, request: DiagnosticsRequest): Promise<DiagnosticsAnswer>;
  /**
   * The resource that `/Me` stands for (RFC 7644 §3.11).
   * @throws ScimError `notFound` for a caller without subject, `notImplemented` where `/Me` is switched off
   */
  me(context: RequestContext): Identity;
  serviceProviderConfig(
    context: RequestContext,
    request: ConfigRequest,
  ): Promise<ResourceAnswer | NotModifiedAnswer>;
  schemas(context: RequestContext): ListAnswer;
  schema(
    context: RequestContext,
    urn: string,
    precondition: Precondition,
  ): ResourceAnswer | NotModifiedAnswer;
  resourceTypes(context: RequestContext): ListAnswer;
  resourceType(
    context: RequestContext,
    name: string,
    precondition: Precondition,
  ): ResourceAnswer | NotModifiedAnswer;
}
