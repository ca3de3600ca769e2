/**
 * What the operations of a service are asked for. No word of HTTP in here.
 * @module
 */
import type { JsonValue, ResourceOperation } from "@scim/schemas";
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

/** A change, for a dry run. */
export type ChangeRequest =
  | { readonly operation: "create"; readonly request: CreateRequest }
  | { readonly operation: "replace"; readonly request: ReplaceRequest }
  | { readonly operation: "patch"; readonly request: PatchRequest }
  | { readonly operation: "delete"; readonly request: DeleteRequest };
