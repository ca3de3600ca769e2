/**
 * What can be done with the resources of a type.
 * @module
 */
import type { DryRunResponse, PatchOperation } from "@scim/schemas";
import type { Page } from "../pages/page.ts";
import type { ResourceList } from "../pages/resource-list.ts";
import type { PatchInput } from "../patch/patch-builder.ts";
import type { ResourceTarget } from "../versions/version-memory.ts";
import type { CallOptions, ChangeOptions, PageOptions, ReadOptions } from "./options.ts";
import type { ListOptions } from "./list-options.ts";
import type { ClientResourceType } from "./resource-type.ts";
import type { Projected, ResourceShape } from "./shape.ts";
import type { UpdateOptions } from "./update.ts";

/** Options that leave attributes out of the answer. */
type Projecting<Shape extends ResourceShape> =
  | { readonly attributes: readonly Shape["Path"][] }
  | { readonly excludedAttributes: readonly Shape["Path"][] };

/**
 * The resources of a type. Every method rejects with a {@link ScimClientError}.
 *
 * The client remembers the version of each resource that it hands out: given to `replace`, `patch` or `delete`, the
 * resource is changed only if nobody else has changed it meanwhile. Given an id alone, it is changed as it is.
 */
export interface ResourceClient<Shape extends ResourceShape> {
  readonly type: ClientResourceType<Shape>;

  /**
   * Creates a resource (RFC 7644 §3.3). Where the connection breaks and nobody knows whether it was created, it is
   * looked up by `externalId`, else, also where the service cannot filter by that, by the attribute that is unique: one that holds all that was sent, as far as the
   * service shows it, is what was created; where there is none, it is created; else {@link UnknownOutcomeError}, with
   * the ids that it may have. Where the service answers 201 without the resource, it is read by its `Location`.
   */
  create(input: Shape["Input"], options?: CallOptions): Promise<Shape["Resource"]>;

  /** Reads a resource by id (RFC 7644 §3.4.1); from the cache, where the service says that it is what it was. */
  get(id: string, options: ReadOptions & Projecting<Shape>): Promise<Projected<Shape["Resource"]>>;
  get(id: string, options?: ReadOptions): Promise<Shape["Resource"]>;

  /** Whether there is a resource of an id. A web page that says 404, such as that of a proxy, tells neither, and rejects. */
  exists(id: string, options?: CallOptions): Promise<boolean>;

  /**
   * Puts another state in the place of a resource (RFC 7644 §3.5.1): what the input leaves out is cleared. Where the
   * service does not answer with the resource, it is read.
   */
  replace(target: ResourceTarget, input: Shape["Input"], options?: ChangeOptions): Promise<Shape["Resource"]>;

  /**
   * Changes parts of a resource (RFC 7644 §3.5.2). Null where the service does not answer with the resource (204).
   *
   * @example
   * await client.users.patch(user, (p) => p.replace("active", false).remove("title"));
   */
  patch(
    target: ResourceTarget,
    operations: PatchInput<Shape>,
    options?: ChangeOptions,
  ): Promise<Shape["Resource"] | null>;

  /** Deletes a resource (RFC 7644 §3.6). */
  delete(target: ResourceTarget, options?: ChangeOptions): Promise<void>;

  /**
   * Reads a resource, changes it by a function, and writes it; where another has changed it meanwhile, all again. So no
   * change is lost. The function may be called several times, and gives the whole resource as it should be; where it
   * gives what it was given, unchanged, nothing is written. Where the answer to the write is lost, the resource is read:
   * where all that the function changed is there, it was written; where that is as it was, though another has changed
   * the resource, it was not, and all is done again; else {@link UnknownOutcomeError}.
   *
   * @example
   * await client.users.update(id, (user) => ({ ...user, title: "Countess" }));
   * @throws {@link VersionConflictError} where each attempt met another change
   * @throws {@link UnknownOutcomeError} where the resource does not tell, or the last attempt was lost
   * @throws {@link UsageError} `missingVersion` where the service gives no versions
   */
  update(
    target: ResourceTarget,
    change: (current: Shape["Resource"]) => Shape["Input"] | Promise<Shape["Input"]>,
    options?: UpdateOptions,
  ): Promise<Shape["Resource"]>;

  /** The smallest PATCH that makes one state of a resource of another: see {@link diffResources}. */
  diff(
    before: Shape["Resource"] | Shape["Input"],
    after: Shape["Resource"] | Shape["Input"],
  ): readonly PatchOperation[];

  /**
   * All resources that match, page by page as they are asked for (RFC 7644 §3.4.2, RFC 9865).
   * @throws {@link UsageError} `invalidInput` at once, for what is no query or no filter
   */
  list(
    options: ListOptions<Shape["Path"], Shape["Fields"]> & Projecting<Shape>,
  ): ResourceList<Projected<Shape["Resource"]>>;
  list(options?: ListOptions<Shape["Path"], Shape["Fields"]>): ResourceList<Shape["Resource"]>;

  /** The same as {@link list} by POST to `/.search` (RFC 7644 §3.4.3): filters stay out of addresses and their logs. */
  search(
    options: ListOptions<Shape["Path"], Shape["Fields"]> & Projecting<Shape>,
  ): ResourceList<Projected<Shape["Resource"]>>;
  search(options?: ListOptions<Shape["Path"], Shape["Fields"]>): ResourceList<Shape["Resource"]>;

  /** One page, for programs that show pages. */
  page(options?: PageOptions<Shape["Path"], Shape["Fields"]>): Promise<Page<Projected<Shape["Resource"]>>>;

  /**
   * What a change would come to; nothing is written. Asked at an address of its own, and only where the service
   * offers it: else {@link UsageError} `notOffered`.
   */
  readonly dryRun: DryRuns<Shape>;

  /** The raw version of a resource that was handed out, or of a copy of it; null where the service gives none. */
  versionOf(resource: Exclude<ResourceTarget, string>): string | null;
}

/** Changes that are tried out. */
export interface DryRuns<Shape extends ResourceShape> {
  create(input: Shape["Input"], options?: CallOptions): Promise<DryRunResponse>;
  replace(target: ResourceTarget, input: Shape["Input"], options?: ChangeOptions): Promise<DryRunResponse>;
  patch(
    target: ResourceTarget,
    operations: PatchInput<Shape>,
    options?: ChangeOptions,
  ): Promise<DryRunResponse>;
  delete(target: ResourceTarget, options?: ChangeOptions): Promise<DryRunResponse>;
}
