/**
 * The service: the operations that HTTP, tools and command line call. No word of HTTP in here.
 * @module
 */
import type { JsonObject, JsonValue, ResourceOperation } from "@scim/schemas";
import type { RequestContext } from "./context.ts";
import type { Precondition } from "./versioning/precondition.ts";

/** Attribute names of `attributes` and `excludedAttributes` (RFC 7644 §3.9); null where not given. */
export interface ProjectionRequest {
  readonly attributes: readonly string[] | null;
  readonly excludedAttributes: readonly string[] | null;
}

/** A resource to answer with. */
export interface ResourceAnswer {
  readonly kind: "resource";
  readonly resource: JsonObject;
  /** Raw version; the entity tag is `W/"<version>"`. */
  readonly version: string;
  readonly location: string;
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
  readonly version: string;
  readonly location: string;
}

/** A page of resources (RFC 7644 §3.4.2). */
export interface ListAnswer {
  readonly kind: "list";
  readonly totalResults: number;
  /** 1-based. */
  readonly startIndex: number;
  readonly resources: readonly JsonObject[];
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
}

export interface CreateRequest extends ProjectionRequest {
  readonly type: string;
  readonly body: JsonValue;
}
export interface ReadRequest extends ProjectionRequest {
  readonly type: string;
  readonly id: string;
  readonly precondition: Precondition;
}
export interface ReplaceRequest extends CreateRequest {
  readonly id: string;
  readonly precondition: Precondition;
}
export interface PatchRequest extends ReplaceRequest {
  /** `minimal` answers without the resource (RFC 7240). */
  readonly prefer: "minimal" | "representation" | null;
}
export interface DeleteRequest {
  readonly type: string;
  readonly id: string;
  readonly precondition: Precondition;
}
export interface ListRequest extends QueryRequest {
  readonly type: string;
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
  create(context: RequestContext, request: CreateRequest): Promise<ResourceAnswer>;
  read(context: RequestContext, request: ReadRequest): Promise<ResourceAnswer | NotModifiedAnswer>;
  replace(context: RequestContext, request: ReplaceRequest): Promise<ResourceAnswer>;
  patch(context: RequestContext, request: PatchRequest): Promise<ResourceAnswer | NoContentAnswer>;
  delete(context: RequestContext, request: DeleteRequest): Promise<void>;
  list(context: RequestContext, request: ListRequest): Promise<ListAnswer>;
  serviceProviderConfig(
    context: RequestContext,
    precondition: Precondition,
  ): ResourceAnswer | NotModifiedAnswer;
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
