/**
 * The service: the operations that HTTP, tools and command line call. No word of HTTP in here.
 * @module
 */
import type { JsonObject, JsonValue, PatchOperation, ResourceOperation, ScimError } from "@scim/schemas";
import type { RequestContext } from "./context.ts";
import type { DiagnosticsAnswer, DiagnosticsRequest } from "./diagnostics/report.ts";
import type { BodyReading } from "./operations/long-body/body-reader.ts";
import type { FoundReferences } from "./operations/long-body/reference-reader.ts";
import type { ReferenceBatch, ReferenceStage } from "./store/reference-stage.ts";
import type { Precondition } from "./versioning/precondition.ts";

/** A request for the ServiceProviderConfig. */
export interface ConfigRequest extends Precondition {
  /** Names of `attributes`: those that are returned on request are shown where they are named. None leaves others out. */
  readonly attributes?: readonly string[] | null;
}

/** Attribute names of `attributes` and `excludedAttributes` (RFC 7644 §3.9); null where not given. */
export interface ProjectionRequest {
  readonly attributes: readonly string[] | null;
  readonly excludedAttributes: readonly string[] | null;
  /**
   * Whether the caller takes collections that are too long to be held in memory as a stream: see
   * {@link AnswerStream}. Default false: every collection stands in the answer.
   */
  readonly streams?: boolean | undefined;
}

/** A collection of an answer that is too long to be held in memory. */
export interface StreamedCollection {
  /** Member names from the resource to the attribute: one, or an extension's URN and one. */
  readonly keys: readonly string[];
  /** Its values, in order, to be gone through once. The next batch is read when it is asked for. */
  readonly batches: AsyncIterable<readonly JsonValue[]>;
}

/**
 * The long collections of an answer, as they were at one moment. The state of the store that they are read from is held
 * until `close`, which must be called whether they were read or not.
 */
export interface AnswerStream {
  /** For each resource of the answer, in order, the collections that are missing in it. */
  readonly collections: readonly (readonly StreamedCollection[])[];
  /** More than once does no harm. */
  close(): Promise<void>;
}

/** A resource to answer with. */
export interface ResourceAnswer {
  readonly kind: "resource";
  readonly resource: JsonObject;
  /** JSON of `resource`; only where the request takes it so, and then `resource` is made of it on demand. */
  readonly text?: string | undefined;
  /** Raw version; the entity tag is `W/"<version>"`. Empty where resources of the type have none. */
  readonly version: string;
  readonly location: string;
  /** The collections that are missing in `resource`; only where the request takes streams. */
  readonly stream?: AnswerStream | undefined;
  /**
   * The change is done, but the collections that are missing in `resource` cannot be read now, so that it must not be sent;
   * only where the request takes streams.
   */
  readonly isPartial?: boolean | undefined;
}

/** The client's copy is current (304). */
export interface NotModifiedAnswer {
  readonly kind: "notModified";
  readonly version: string;
  readonly location: string;
}

/** The change is done, and the resource is too large to be sent along (204). */
export interface NoContentAnswer {
  readonly kind: "noContent";
  /** Raw version; empty where resources of the type have none. */
  readonly version: string;
  readonly location: string;
}

/** A page of resources (RFC 7644 §3.4.2, RFC 9865 §2). */
export interface ListAnswer {
  readonly kind: "list";
  /** How many match, over all pages; null on a page by cursor where counting would mean going through them all. */
  readonly totalResults: number | null;
  /** 1-based; null on a page that was asked for by cursor. */
  readonly startIndex: number | null;
  readonly resources: readonly JsonObject[];
  /** The collections that are missing in `resources`; only where the request takes streams. */
  readonly stream?: AnswerStream | undefined;
  /** Where to go on; null on the last page, and on pages by index. */
  readonly nextCursor: string | null;
  /** The page before; null on the first page, and on pages by index. */
  readonly previousCursor: string | null;
  /** How the filter was served; null where all of it went to the store. */
  readonly filterPlan: string | null;
}

/** Parameters of a query (RFC 7644 §3.4.2), already decoded; null where not given. */
export interface QueryRequest extends ProjectionRequest {
  readonly filter: string | null;
  readonly sortBy: string | null;
  readonly sortOrder: string | null;
  readonly startIndex: number | null;
  readonly count: number | null;
  /** Where to go on (RFC 9865 §2): empty text for the first page; null for paging by index. */
  readonly cursor: string | null;
  /** Where the parameters stood: in the address, which may be logged on its way, or in a body (RFC 7644 §7.5.2). */
  readonly source: "address" | "body";
}

/** A resource to create (RFC 7644 §3.3). */
export interface CreateRequest extends ProjectionRequest {
  readonly type: string;
  readonly body: JsonValue;
  /** The lists of the body whose values were staged: see {@link ScimService.longBody}. Only with `streams`. */
  readonly staged?: StagedBody | undefined;
}

/** The long lists of a body, whose values are staged and stand no longer in it. */
export interface StagedBody {
  readonly stage: ReferenceStage;
  /** What was found in each, by the empty list that stands for it in the body. */
  readonly lists: ReadonlyMap<JsonValue, FoundReferences>;
}

/** A body that is too long to be held in memory, while it is read. */
export interface LongBody {
  /** What {@link createBodyReader} is made of on the thread that reads the body: plain data. */
  readonly reading: BodyReading;
  /** Stages values of a collection; equal ones become one. Called again when it has resolved. */
  stage(path: string, batch: ReferenceBatch): Promise<void>;
  /** The stage, for the request. */
  readonly target: ReferenceStage;
  /** Lets the stage go. More than once does no harm. */
  close(): Promise<void>;
}

/** Opens a place for a long body. */
export type OpenLongBody = () => Promise<LongBody>;

/** One resource to read (RFC 7644 §3.4.1). */
export interface ReadRequest extends ProjectionRequest {
  readonly type: string;
  readonly id: string;
  readonly precondition: Precondition;
  /** Whether the caller sends the resource on as JSON, so that what is answered as it is stored need not be read. Default false. */
  readonly asText?: boolean | undefined;
}

/** A resource to replace by the body (RFC 7644 §3.5.1). */
export interface ReplaceRequest extends CreateRequest {
  readonly id: string;
  readonly precondition: Precondition;
}

/** A resource to change by the operations of the body (RFC 7644 §3.5.2). */
export interface PatchRequest extends ReplaceRequest {
  /** `minimal` answers without the resource (RFC 7240). */
  readonly prefer: "minimal" | "representation" | null;
}

/** A resource to delete (RFC 7644 §3.6). */
export interface DeleteRequest {
  readonly type: string;
  readonly id: string;
  readonly precondition: Precondition;
}

/** Resources to find (RFC 7644 §3.4.2). */
export interface ListRequest extends QueryRequest {
  /** Name of a resource type; null queries all of them (RFC 7644 §3.4.2.1). */
  readonly type: string | null;
}

/** A bulk job (RFC 7644 §3.7). */
export interface BulkRequest {
  /** The BulkRequest message. */
  readonly body: JsonValue;
  /** Called before each operation: throws `ScimError` where the caller may not do it. */
  readonly authorize: (type: string, operation: ResourceOperation) => void;
}

/** What became of one operation of a bulk job. */
export interface BulkOperationAnswer {
  /** Upper case where it is POST, PUT, PATCH or DELETE; else the text that the client sent. */
  readonly method: string;
  readonly bulkId: string | null;
  /** Null for a POST that failed, and where the path names no resource. */
  readonly location: string | null;
  /** Raw version after a change; null where it failed or the resource is gone. */
  readonly version: string | null;
  /** HTTP status. */
  readonly status: number;
  /** Null where the operation is done. A fault of the service is `internal`, and what led to it its cause. */
  readonly error: ScimError | null;
}

/** The operations of a bulk job that were tried, in the order of the request. */
export interface BulkAnswer {
  readonly kind: "bulk";
  readonly operations: readonly BulkOperationAnswer[];
}

/** A change, for a dry run. */
export type ChangeRequest =
  | { readonly operation: "create"; readonly request: CreateRequest }
  | { readonly operation: "replace"; readonly request: ReplaceRequest }
  | { readonly operation: "patch"; readonly request: PatchRequest }
  | { readonly operation: "delete"; readonly request: DeleteRequest };

/** What a change would have come to. Nothing was written. */
export interface DryRunAnswer {
  readonly kind: "dryRun";
  /** Whether the change would have been made. */
  readonly valid: boolean;
  /** HTTP status that the change would have been answered with. */
  readonly status: number;
  /**
   * The resource as it would be; null where the answer to the change has none. What only the write decides is left
   * out: `meta.version` and `meta.lastModified`, and of a new resource also `id`, `meta.created` and `meta.location`.
   */
  readonly resource: JsonObject | null;
  /**
   * What would change, as PATCH operations on the resource as it is (RFC 7644 §3.5.2); of a new resource, what is
   * added. Empty for a deletion, and where the change fails. Values that are never returned are not told. A type
   * that shows rows of another resource tells of that one.
   */
  readonly diff: readonly PatchOperation[];
  readonly error: ScimError | null;
}

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
